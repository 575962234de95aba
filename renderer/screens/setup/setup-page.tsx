import { Group, NavLink, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, Route, Routes, useLocation } from 'react-router';
import { useMay } from '../../api/may.ts';
import { MissingPage } from '../../ui/missing-page.tsx';
import { type Section, sections } from './sections.tsx';
import { SetupHome } from './setup-home.tsx';

/** Everything that is set up once and looked after now and then. What one's roles do not allow is not offered. */
export function Component() {
  const may = useMay();
  const offered = sections.filter(
    ({ operation, isHere }) => isHere?.() !== false && (operation === null || may(operation)),
  );
  return (
    <Stack gap="lg">
      <Routes>
        <Route index element={null} />
        <Route path="*" element={<SectionLinks offered={offered} />} />
      </Routes>
      <Routes>
        <Route index element={<SetupHome offered={offered} />} />
        {offered.map(({ name, Page }) => (
          <Route key={name} path={name} element={<Page />} />
        ))}
        {offered.flatMap(({ name, One }) =>
          One ? [<Route key={`${name} one`} path={`${name}/:id`} element={<One />} />] : [],
        )}
        <Route path="*" element={<MissingPage />} />
      </Routes>
    </Stack>
  );
}

function SectionLinks({ offered }: { offered: readonly Section[] }) {
  const { t } = useTranslation('setup');
  const { pathname } = useLocation();
  return (
    <Group component="nav" aria-label={t('sections')} gap={0}>
      {offered.map(({ name, icon: Icon }) => {
        const path = `/app/setup/${name}`;
        const isHere = pathname === path || pathname.startsWith(`${path}/`);
        return (
          <NavLink
            key={name}
            component={Link}
            to={path}
            label={t(`section.${name}`)}
            leftSection={<Icon aria-hidden size={20} />}
            active={isHere}
            aria-current={isHere ? 'page' : undefined}
            w="auto"
          />
        );
      })}
    </Group>
  );
}
