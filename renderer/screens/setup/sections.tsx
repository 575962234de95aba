import {
  IconBuildingFactory2,
  IconCertificate,
  IconClock,
  IconDatabaseExport,
  IconDatabaseImport,
  IconDeviceDesktop,
  IconDeviceFloppy,
  IconFingerprint,
  IconKey,
  IconListSearch,
  IconRefresh,
  IconShieldLock,
  IconUser,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';
import { bridge } from '../../desktop/bridge.ts';
import { DesktopPage } from '../../desktop/desktop-page.tsx';
import { AuditPage } from './audit-page.tsx';
import { AuthorityPage } from './authority-page.tsx';
import { BackupPage } from './backup-page.tsx';
import { ClockPage } from './clock-page.tsx';
import { ExportPage } from './export-page.tsx';
import { MachinePolicyPage } from './machine-policy-page.tsx';
import { OwnPage } from './own-page.tsx';
import { SitePage } from './site-page.tsx';
import { StationsPage } from './stations-page.tsx';
import { TokensPage } from './tokens-page.tsx';
import { UserPage } from './user-page.tsx';
import { UsersPage } from './users-page.tsx';
import { ValidationPage } from './validation-page.tsx';
import { WebhooksPage } from './webhooks-page.tsx';

/** A part of the setup: its texts are `section.<name>` and `about.<name>`, its path `/app/setup/<name>`. */
export interface Section {
  name: string;
  icon: typeof IconUser;
  /** Who may call this is offered the section; null: everybody. */
  operation: string | null;
  /** Whether there is such a thing here; absent: always. */
  isHere?: () => boolean;
  Page: ComponentType;
  /** Behind `/:id`. */
  One?: ComponentType;
}

/** The reader of files comes with it, which nobody else needs. */
const ImportPage = lazy(() => import('./import-page.tsx'));

export const sections: readonly Section[] = [
  { name: 'me', icon: IconUser, operation: null, Page: OwnPage },
  {
    name: 'desktop',
    icon: IconDeviceDesktop,
    operation: null,
    isHere: () => bridge() !== undefined,
    Page: DesktopPage,
  },
  { name: 'policy', icon: IconShieldLock, operation: 'x.sync.enrol', Page: MachinePolicyPage },
  { name: 'users', icon: IconUsers, operation: 'x.users.list', Page: UsersPage, One: UserPage },
  { name: 'site', icon: IconBuildingFactory2, operation: 'x.settings.update', Page: SitePage },
  { name: 'backup', icon: IconDeviceFloppy, operation: 'x.backups.list', Page: BackupPage },
  { name: 'clock', icon: IconClock, operation: 'x.clock.read', Page: ClockPage },
  { name: 'audit', icon: IconListSearch, operation: 'x.audit.list', Page: AuditPage },
  { name: 'validation', icon: IconCertificate, operation: 'x.validation.list', Page: ValidationPage },
  { name: 'authority', icon: IconFingerprint, operation: 'x.authority.certify', Page: AuthorityPage },
  { name: 'stations', icon: IconRefresh, operation: 'x.sync.enrol', Page: StationsPage },
  { name: 'tokens', icon: IconKey, operation: 'x.tokens.list', Page: TokensPage },
  { name: 'webhooks', icon: IconWebhook, operation: 'x.webhooks.list', Page: WebhooksPage },
  { name: 'import', icon: IconDatabaseImport, operation: 'x.imports.create', Page: ImportPage },
  { name: 'export', icon: IconDatabaseExport, operation: 'x.exports.read', Page: ExportPage },
];
