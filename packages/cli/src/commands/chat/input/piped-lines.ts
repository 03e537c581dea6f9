import { StringDecoder } from 'node:string_decoder';
import type { InputStream } from '../../../process/host.ts';
import type { ChatInput, ChatLine } from './chat-input.ts';

/** A message may have 20,000 characters, and a statement for `/edit` more. What is longer is not held. */
const MAX_LINE = 1_000_000;

/** The lines of an input that is no terminal, one at a time; no more of it is read than is asked for. */
export function pipedLines(stdin: InputStream, signal: AbortSignal): ChatInput {
  const lines = splitLines(stdin);
  let end = (): void => {};
  const ended = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined);
  });
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  return {
    isTerminal: false,
    next: () => Promise.race([ended, lines.next().then(({ value }) => value ?? undefined)]),
    lend: (use) => use(),
    close() {
      signal.removeEventListener('abort', end);
      end();
      stdin.destroy();
    },
  };
}

async function* splitLines(stdin: InputStream): AsyncGenerator<ChatLine, undefined> {
  const decoder = new StringDecoder('utf8');
  let text = '';
  let isCut = false;
  const add = (part: string): void => {
    const room = MAX_LINE - text.length;
    if (part.length > room) isCut = true;
    text += part.slice(0, room);
  };
  const take = (): ChatLine => {
    const line = { text: text.replace(/\r$/, ''), isCut };
    text = '';
    isCut = false;
    return line;
  };
  try {
    for await (const chunk of stdin) {
      const [first = '', ...more] = decoder.write(Buffer.from(chunk as Uint8Array | string)).split('\n');
      add(first);
      for (const part of more) {
        yield take();
        add(part);
      }
    }
  } catch {
    // An input that fails has ended.
  }
  add(decoder.end());
  if (text !== '') yield take();
  return undefined;
}
