import type { ListedBy } from '../../../shared/operations/operation-types.ts';

export type IssuedCertificate = ListedBy<'x.certificates.list'>;
