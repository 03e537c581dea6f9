import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** For tests: a certificate with its private key, both as PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

/** For tests: an authority of their own, and what it gives out. */
export interface TestAuthority extends TestCertificate {
  /** @param days valid from now; negative: it has expired. */
  issue(host: string, days?: number): TestCertificate;
}

const DAY_MS = 86_400_000;

/**
 * Makes an authority that nobody knows. Node has no way to issue certificates, so they are written in DER here (RFC 5280):
 * version 3, ECDSA on P-256 with SHA-256, one DNS name.
 */
export function makeAuthority(name = 'Askema test authority'): TestAuthority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const make = (subject: string, of: KeyObject, days: number, extensions: Buffer[]): string =>
    certificate({ issuer: name, subject, publicKey: of, signer: privateKey, days, extensions });
  return {
    cert: make(name, publicKey, 365, [extension('2.5.29.19', sequence(Buffer.from([0x01, 0x01, 0xff])), true)]),
    key: pemOf(privateKey),
    issue(host, days = 30) {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const names = extension('2.5.29.17', sequence(der(0x82, Buffer.from(host))));
      return { cert: make(host, own.publicKey, days, [names]), key: pemOf(own.privateKey) };
    },
  };
}

interface Contents {
  readonly issuer: string;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly days: number;
  readonly extensions: readonly Buffer[];
}

function certificate({ issuer, subject, publicKey, signer, days, extensions }: Contents): string {
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'));
  const start = days < 0 ? days * 2 : -1;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...crypto.getRandomValues(new Uint8Array(8))])),
    algorithm,
    nameOf(issuer),
    sequence(timeOf(start), timeOf(days)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, signer);
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = rest.flatMap((part) => {
    const groups = [part & 127];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 127) | 128);
    return groups;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

function nameOf(name: string): Buffer {
  return sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(name)))));
}

/** GeneralizedTime, days from now. */
function timeOf(days: number): Buffer {
  const text = new Date(Date.now() + days * DAY_MS).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x18, Buffer.from(text));
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  return sequence(oid(id), ...(isCritical ? [Buffer.from([0x01, 0x01, 0xff])] : []), der(0x04, value));
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
