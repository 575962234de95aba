import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  BasicConstraints,
  Certificate,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  KeyUsage,
  KeyUsageFlags,
} from '@peculiar/asn1-x509';
import { makeSelfMadeCertificate } from '../../server/enrolment/self-made-certificate.ts';

/** A certificate and its key, as PEM. */
export interface TestCertificate {
  certificate: string;
  key: string;
  /** SHA-256, lower-case hex. */
  fingerprint: string;
  privateKey: KeyObject;
}

const DAY_MS = 86_400_000;

/** A certificate that vouches for itself; valid from yesterday to `days` from now. */
export function selfMade(
  hosts: string[] = ['localhost', '127.0.0.1'],
  days = 30,
  name = 'Holdpoint central',
): TestCertificate {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const notAfter = new Date(Date.now() + days * DAY_MS);
  const notBefore = new Date(Math.min(Date.now(), notAfter.getTime()) - DAY_MS);
  const certificate = makeSelfMadeCertificate({ privateKey, hosts, notBefore, notAfter, commonName: name });
  return withKey(certificate, privateKey);
}

/** An authority of its own. */
export function authority(): TestCertificate {
  const made = selfMade([], 30, 'Test authority');
  return withKey(
    altered(made.certificate, made.privateKey, ({ tbsCertificate: { extensions } }) => {
      const kept = extensions?.filter(({ extnID }) => extnID !== id_ce_extKeyUsage) ?? [];
      for (const each of kept) {
        if (each.extnID === id_ce_basicConstraints)
          each.extnValue = octets(new BasicConstraints({ cA: true }));
        if (each.extnID === id_ce_keyUsage) each.extnValue = octets(new KeyUsage(KeyUsageFlags.keyCertSign));
      }
      extensions?.splice(0, extensions.length, ...kept);
    }),
    made.privateKey,
  );
}

/** A server's certificate that an authority has signed. */
export function signedBy(issuer: TestCertificate, hosts: string[]): TestCertificate {
  const made = selfMade(hosts, 30, 'central.example');
  const issuerName = AsnConvert.parse(new X509Certificate(issuer.certificate).raw, Certificate).tbsCertificate
    .subject;
  const certificate = altered(made.certificate, issuer.privateKey, ({ tbsCertificate }) => {
    tbsCertificate.issuer = issuerName;
  });
  return withKey(certificate, made.privateKey);
}

function octets(value: object): OctetString {
  return new OctetString(AsnConvert.serialize(value));
}

/** A certificate with changes, signed again. */
function altered(pem: string, key: KeyObject, change: (certificate: Certificate) => void): string {
  const certificate = AsnConvert.parse(new X509Certificate(pem).raw, Certificate);
  change(certificate);
  delete certificate.tbsCertificateRaw;
  const content = Buffer.from(AsnConvert.serialize(certificate.tbsCertificate));
  certificate.signatureValue = Uint8Array.from(sign('sha256', content, { key, dsaEncoding: 'der' })).buffer;
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString();
}

function withKey(certificate: string, privateKey: KeyObject): TestCertificate {
  const fingerprint = new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    certificate,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint,
    privateKey,
  };
}
