import { StringDecoder } from 'node:string_decoder';
import type { Host, InputStream } from '../process/host.ts';
import type { Output } from '../process/output.ts';
import { canConfirm } from './confirm.ts';
import { printable } from './printable.ts';

/** What asking needs of a command. */
interface SecretContext {
  readonly host: Host;
  readonly err: Output;
  /** Fires on Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * Asks for a secret on the terminal, one question at a time; nothing that is typed or pasted is shown. Undefined where
 * nobody can be asked. What it returns rejects with the signal's reason on Ctrl-C.
 */
export function createSecretAsker(context: SecretContext): ((question: string) => Promise<string>) | undefined {
  const { host } = context;
  if (!canConfirm(host) || typeof host.stdin.setRawMode !== 'function') return undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (question) => {
    const answer = last.then(() => askOnce(question, context));
    last = answer.catch(() => undefined);
    return answer;
  };
}

const ERASE_LINE = '\r\u001b[2K';

async function askOnce(question: string, { host, err, signal }: SecretContext): Promise<string> {
  signal.throwIfAborted();
  const { stdin } = host;
  const release = err.hold();
  await err.write(`${ERASE_LINE}${printable(question).replace(/[:?]?\s*$/, '')}: `);
  // The terminal echoes nothing in raw mode, and hands Ctrl-C over as a character.
  stdin.setRawMode?.(true);
  try {
    return await readSecret(stdin, signal, () => host.raise('SIGINT'));
  } finally {
    stdin.setRawMode?.(false);
    stdin.pause();
    await err.write('\n');
    release();
  }
}

const CONTROL = { interrupt: '\u0003', end: '\u0004', erase: '\b', remove: '\u007f', eraseAll: '\u0015' } as const;

/** Arrow keys and their like: CSI and SS3 sequences (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is looked for
const KEY_SEQUENCE = /\u001b(?:\[[0-9;?]{0,20}[@-~]|O[A-Za-z])/g;

function readSecret(stdin: InputStream, signal: AbortSignal, onInterrupt: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const decoder = new StringDecoder('utf8');
    let typed: string[] = [];
    const onAbort = (): void => finish(() => reject(signal.reason));
    const onEnd = (): void => finish(() => resolve(typed.join('')));
    const onData = (chunk: Buffer | string): void => {
      const text = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).replace(KEY_SEQUENCE, '');
      for (const character of text) {
        const ends = character === '\r' || character === '\n' || character === CONTROL.end;
        if (ends || character === CONTROL.interrupt) {
          if (ends) onEnd();
          else onInterrupt();
          return;
        }
        if (character === CONTROL.erase || character === CONTROL.remove) typed.pop();
        else if (character === CONTROL.eraseAll) typed = [];
        else if (character >= ' ') typed.push(character);
      }
    };
    const finish = (settle: () => void): void => {
      stdin.off('data', onData);
      stdin.off('end', onEnd);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    stdin.on('data', onData);
    stdin.on('end', onEnd);
    stdin.resume();
  });
}
