import { createPublicKey, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_kp_serverAuth,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const SERIAL_BYTES = 16;
/** RFC 5280, 4.2.1.6: names beyond any machine's own would only make the certificate large. */
const NAMES_LIMIT = 100;

export interface SelfMadeCertificateOptions {
  /** EC P-256; its public half is what the certificate is about. */
  privateKey: KeyObject;
  /** Host names and addresses; what is neither is left out. */
  hosts: readonly string[];
  notBefore: Date;
  notAfter: Date;
  /** What people see as its owner. */
  commonName?: string;
}

/** A certificate for a server that vouches for itself, as PEM (RFC 5280). It cannot sign other certificates. */
export function makeSelfMadeCertificate(options: SelfMadeCertificateOptions): string {
  const { privateKey, hosts, notBefore, notAfter, commonName = 'Holdpoint central' } = options;
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const owner = nameOf(commonName);
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const content = new TBSCertificate({
    version: Version.v3,
    serialNumber: newSerialNumber(),
    signature: algorithm,
    issuer: owner,
    subject: owner,
    validity: new Validity({ notBefore, notAfter }),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey, SubjectPublicKeyInfo),
    extensions: new Extensions([
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
      extension(id_ce_subjectAltName, new SubjectAlternativeName(namesOf(hosts))),
    ]),
  });
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(content)), {
    key: privateKey,
    dsaEncoding: 'der',
  });
  const certificate = new Certificate({
    tbsCertificate: content,
    signatureAlgorithm: algorithm,
    signatureValue: bytesOf(signature),
  });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString();
}

function nameOf(commonName: string): Name {
  const value = new AttributeValue({ utf8String: commonName });
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])]);
}

function namesOf(hosts: readonly string[]): GeneralName[] {
  const names = hosts.flatMap(host => {
    if (isIP(host) !== 0) return [new GeneralName({ iPAddress: host })];
    const name = domainToASCII(host);
    return /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/.test(name) ? [new GeneralName({ dNSName: name })] : [];
  });
  return names.slice(0, NAMES_LIMIT);
}

function extension(extnID: string, value: object, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

/** RFC 5280, 4.1.2.2: positive, and of the same length whatever chance gives. */
function newSerialNumber(): ArrayBuffer {
  const [first = 0, ...rest] = randomBytes(SERIAL_BYTES);
  return bytesOf([(first & 0x7f) | 0x40, ...rest]);
}

function bytesOf(bytes: Iterable<number>): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
