import { createHash, randomBytes } from 'node:crypto';
import { AskemaError } from '@askema/core';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';

/** The same as jwtAuth and keyAuth take as a name, without what would have to be escaped. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.@+-]{0,99}$/u;

/** `askema serve --new-key NAME`: the key on stdout, once, and its entry for the configuration on stderr. */
export async function newKey(name: string, { out, err }: CommandContext): Promise<number> {
  if (!NAME.test(name))
    throw new AskemaError(
      'INPUT_INVALID',
      `--new-key ${JSON.stringify(name)} names nobody: 1 to 100 letters, digits, blanks and _ . @ + -, as in --new-key reports.`,
    );
  // 256 random bits: a plain hash of it cannot be tried out.
  const key = `askema_${randomBytes(32).toString('base64url')}`;
  const sha256 = createHash('sha256').update(key).digest('hex');
  await err.write(
    `The key of ${name} is shown this once. For \`server.auth.keys\` of askema.config.ts:\n\n` +
      `  { sha256: '${sha256}', caller: { subject: '${name}', scopes: ['ask', 'catalog'] } },\n\n`,
  );
  await out.write(`${key}\n`);
  return EXIT.ok;
}
