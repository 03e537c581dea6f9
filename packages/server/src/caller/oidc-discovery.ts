import { invalidOption } from '@askema/core';
import { z } from 'zod';
import { isLoopback } from '../security/loopback.ts';
import { readBounded } from '../security/read-body.ts';

/** For the description of an issuer, and for its keys. */
export const DISCOVERY_TIMEOUT_MS = 5_000;
const MAX_DESCRIPTION = 256 * 1024;

/** OpenID Connect Discovery 1.0, section 3: what is needed of it. */
const DESCRIPTION = z.object({ issuer: z.string(), jwks_uri: z.string() });

/** An address that nobody on the way can change. @throws AskemaError `CONFIG_INVALID`. */
export function httpsUrl(name: string, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return url;
  throw invalidOption(`\`${name}\` must be an https address.`);
}

/**
 * Where the keys of an issuer are, by its own word. Rejects with `CONFIG_INVALID` for a description of another issuer,
 * and with an error of the network while none can be read.
 */
export async function keySetOf(issuer: string): Promise<URL> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const description = await describe(address).catch((cause: unknown) => {
    throw new Error(`The description of the issuer, ${address}, cannot be read.`, { cause });
  });
  if (description.issuer !== issuer)
    throw invalidOption(
      `${address} describes ${JSON.stringify(description.issuer)}, not ${JSON.stringify(issuer)}: \`jwtAuth.issuer\` must be equal to it, also in its last slash.`,
    );
  return httpsUrl('jwks_uri of the issuer', description.jwks_uri);
}

async function describe(address: string): Promise<z.infer<typeof DESCRIPTION>> {
  const signal = AbortSignal.timeout(DISCOVERY_TIMEOUT_MS);
  const response = await fetch(address, { redirect: 'error', signal, headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return DESCRIPTION.parse(JSON.parse(await readBounded(response, MAX_DESCRIPTION)));
}
