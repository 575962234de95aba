import type { CertificateState } from '../../../shared/families/certificate.ts';

/** As `GET /x/certificates` answers it. */
export interface IssuedCertificate {
  id: number;
  number: string;
  inventory_id: number;
  language: 'en' | 'de';
  issued_at: string;
  issuer_name: string;
  state: CertificateState;
  /** Keys of records: `lab-result:17`. */
  changed: string[];
  withdrawn_at: string | null;
  withdrawn_by: string | null;
  withdrawal_reason: string | null;
}
