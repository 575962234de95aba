import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import {
  IconAdjustments,
  IconLanguage,
  IconLock,
  IconLogout,
  IconMoon,
  IconSun,
  IconUser,
  IconUserCog,
  IconUsers,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useWrite } from '../../api/calls.ts';
import { useSession } from '../../api/session.ts';
import { languages } from '../../i18n/i18n.ts';
import { useContrast } from '../../ui/contrast.ts';
import { useOwnLanguage } from './own-language.ts';

/** Who is signed in, and how the screen looks. */
export function UserMenu() {
  const { t, i18n } = useTranslation('session');
  const { session } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const contrast = useContrast();
  const language = useOwnLanguage();
  const lock = useWrite('x.session.lock');
  const end = useWrite('x.session.end');
  const isReturning = session?.hand?.has_pin === true || session?.hand?.has_badge === true;
  const isDark = colorScheme === 'dark';
  return (
    <Menu width={300} position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconUser aria-hidden />}
          aria-label={t('menu', { name: session?.user?.name })}
        >
          {session?.user?.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconLock aria-hidden />} onClick={() => lock.mutate({ body: {} })}>
          {t('lock')}
        </Menu.Item>
        {isReturning && (
          <Menu.Item leftSection={<IconUsers aria-hidden />} onClick={() => lock.mutate({ body: {} })}>
            {t('switch')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconLogout aria-hidden />} onClick={() => end.mutate({ body: {} })}>
          {t(isReturning ? 'sign-out' : 'switch')}
        </Menu.Item>
        <Menu.Item leftSection={<IconUserCog aria-hidden />} component={Link} to="/app/setup/me">
          {t('own')}
        </Menu.Item>
        <Menu.Divider />
        {languages
          .filter(other => other !== i18n.language)
          .map(other => (
            <Menu.Item
              key={other}
              lang={other}
              leftSection={<IconLanguage aria-hidden />}
              onClick={() => language.change(other)}
            >
              {t(`language.${other}`)}
            </Menu.Item>
          ))}
        <Menu.Item
          leftSection={isDark ? <IconSun aria-hidden /> : <IconMoon aria-hidden />}
          onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        >
          {isDark ? t('look.light') : t('look.dark')}
        </Menu.Item>
        <Menu.Item leftSection={<IconAdjustments aria-hidden />} onClick={contrast.toggle}>
          {contrast.isHigh ? t('contrast.normal') : t('contrast.high')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
