import { AppShell, Burger, Button, Group, Kbd, NavLink, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useLocation, useNavigate } from 'react-router';
import { useSettings } from '../api/settings.ts';
import { DesktopBadge } from '../desktop/desktop-badge.tsx';
import { ClockNotice } from '../screens/session/clock-notice.tsx';
import { SessionGate } from '../screens/session/session-gate.tsx';
import { UserMenu } from '../screens/session/user-menu.tsx';
import { SyncBadge } from '../screens/sync/sync-badge.tsx';
import { ScanListener } from '../ui/scan/scan-listener.tsx';
import { useHotkeys } from '../ui/use-hotkeys.ts';
import { type Area, areas } from './navigation.ts';
import { Palette, usePalette } from './palette.tsx';

/** The frame around every screen: where one is, what else there is, and how it stands with saving and sending. */
export function Shell() {
  return (
    <SessionGate>
      <Frame />
    </SessionGate>
  );
}

function Frame() {
  const { t } = useTranslation('app');
  const [isOpen, menu] = useDisclosure();
  const palette = usePalette();
  const settings = useSettings();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  useHotkeys(
    [
      ...areas.flatMap(({ key, path }) =>
        key ? [[key, () => void navigate(path)] as [string, () => void]] : [],
      ),
      ['mod+K', palette.open],
    ],
    [],
  );
  const area = areaOf(pathname);
  const main = useFocusOfPage(pathname);
  useEffect(() => {
    document.title = `${t(`area.${area?.name ?? 'home'}`)} · Holdpoint`;
    menu.close();
  }, [area, t, menu.close]);

  return (
    <AppShell
      header={{ height: 64 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip-link" href="#main">
        {t('skip')}
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap" gap="sm">
          <Group wrap="nowrap" gap="sm">
            <Burger opened={isOpen} onClick={menu.toggle} hiddenFrom="md" size="md" aria-label={t('menu')} />
            <Link to="/app" aria-label={t('area.home')} className="cell-link">
              <img src="/icon.svg" width={40} height={40} alt="" />
            </Link>
            <Text fw={700} size="lg" visibleFrom="sm">
              Holdpoint
            </Text>
          </Group>
          <Button
            variant="default"
            leftSection={<IconSearch aria-hidden />}
            rightSection={
              <Kbd visibleFrom="md" style={{ whiteSpace: 'nowrap' }}>
                Ctrl K
              </Kbd>
            }
            onClick={palette.open}
            flex="0 1 28rem"
            justify="space-between"
          >
            <Text span inherit visibleFrom="md">
              {t('find')}
            </Text>
            <Text span inherit hiddenFrom="md">
              {t('find.short')}
            </Text>
          </Button>
          <Group wrap="nowrap" gap="xs">
            <DesktopBadge />
            <SyncBadge />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('areas')}>
        <ScrollArea>
          {areas.map(each => (
            <NavLink
              key={each.name}
              component={Link}
              to={each.path}
              label={t(`area.${each.name}`)}
              leftSection={<each.icon aria-hidden />}
              rightSection={each.key && <Kbd aria-hidden>{each.key}</Kbd>}
              active={each === area}
              aria-current={each === area ? 'page' : undefined}
            />
          ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} style={{ outline: 'none' }}>
        <ClockNotice isSignedIn />
        <Suspense fallback={<Text role="status">{t('loading')}</Text>}>
          {(settings.data || settings.failureReason) && <Outlet />}
        </Suspense>
      </AppShell.Main>
      <Palette opened={palette.isOpen} onClose={palette.close} />
      <ScanListener />
    </AppShell>
  );
}

/**
 * Where the page is, for the next Tab and for who listens to it: a new page begins with its own first control, not with
 * the whole frame again. What a page itself gives the focus to has it.
 */
function useFocusOfPage(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const { activeElement: focused } = document;
    // What was opened meanwhile, to find something, keeps it.
    if (main.current?.contains(focused) || focused?.closest('[role=dialog]')) return;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  useEffect(() => (main.current ? keepFocusWithin(main.current) : undefined), []);
  return main;
}

/** For what brings the focus to a place of its own: a form to what opened it, a board to its card. */
const LET_OTHERS_MS = 100;

/**
 * What had the focus can go with what was done by it: a lock that only others lift, a correction that waits no more. The
 * page has the focus then, so that the next Tab goes on there and not with the whole frame. Returns what ends it.
 */
function keepFocusWithin(page: HTMLElement): () => void {
  let last: EventTarget | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLost = () =>
    document.activeElement === document.body && last instanceof Element && !last.isConnected;
  const note = ({ target }: FocusEvent) => {
    last = target;
  };
  const observer = new MutationObserver(() => {
    if (!isLost()) return;
    clearTimeout(timer);
    timer = setTimeout(() => isLost() && page.focus({ preventScroll: true }), LET_OTHERS_MS);
  });
  page.addEventListener('focusin', note);
  observer.observe(page, { childList: true, subtree: true });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    page.removeEventListener('focusin', note);
  };
}

function areaOf(pathname: string): Area | undefined {
  const at = pathname.replace(/\/$/, '');
  const isBelow = (path: string) => at === path || (path !== '/app' && at.startsWith(`${path}/`));
  return areas.find(({ path, also = [] }) => [path, ...also].some(isBelow));
}
