import { Button, Group, Menu } from '@mantine/core';
import { IconChevronDown, type IconLock } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

/** Something that is done from a page: it leads elsewhere, or opens a form of the page. */
export interface PageAction {
  name: string;
  title: string;
  icon: typeof IconLock;
  /** The key of the page that does it too. */
  hotkey?: string;
  /** Where it leads; else `onPress`. */
  to?: string;
  onPress?: () => void;
  /** Whether the form that it opens stands there. */
  isOpen?: boolean;
}

interface PageActionsProps {
  /** What comes next by the state of what the page shows; undefined: nothing that this person may do. */
  main: PageAction | undefined;
  /** Everything that can be done, the main action among it: the menu leaves that out. */
  actions: readonly PageAction[];
  /** What stands beside it, such as printing. */
  children?: ReactNode;
}

/** One main action; the rest in a menu, in the order of work (decisions/0090). */
export function PageActions({ main, actions, children }: PageActionsProps) {
  const { t } = useTranslation('app');
  const others = actions.filter(({ name }) => name !== main?.name);
  const more = useRef<HTMLButtonElement>(null);
  // A form that an item opens begins with its own field, and gives the focus back to the menu's button.
  const [returnsFocus, setReturnsFocus] = useState(true);
  const press = (action: PageAction) => {
    setReturnsFocus(false);
    more.current?.focus();
    action.onPress?.();
  };
  return (
    <Group>
      {main && <MainAction action={main} />}
      {others.length > 0 && (
        <Menu
          position="bottom-start"
          width={320}
          returnFocus={returnsFocus}
          onOpen={() => setReturnsFocus(true)}
        >
          <Menu.Target>
            <Button ref={more} variant="default" rightSection={<IconChevronDown size={18} aria-hidden />}>
              {t('more')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(action => (
              <OtherAction key={action.name} action={action} onPress={() => press(action)} />
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {children}
    </Group>
  );
}

function MainAction({ action: { title, icon: Icon, hotkey, to, onPress, isOpen } }: { action: PageAction }) {
  const look = { leftSection: <Icon aria-hidden />, rightSection: hintOf(hotkey) };
  return to === undefined ? (
    <Button {...look} aria-expanded={isOpen === true} onClick={() => onPress?.()}>
      {title}
    </Button>
  ) : (
    <Button {...look} component={Link} to={to}>
      {title}
    </Button>
  );
}

interface OtherActionProps {
  action: PageAction;
  onPress: () => void;
}

function OtherAction({ action: { title, icon: Icon, hotkey, to }, onPress }: OtherActionProps) {
  const look = { leftSection: <Icon aria-hidden />, rightSection: hintOf(hotkey) };
  return to === undefined ? (
    <Menu.Item {...look} onClick={onPress}>
      {title}
    </Menu.Item>
  ) : (
    <Menu.Item {...look} component={Link} to={to}>
      {title}
    </Menu.Item>
  );
}

function hintOf(hotkey: string | undefined): ReactNode {
  return hotkey && <kbd className="hint">{hotkey}</kbd>;
}
