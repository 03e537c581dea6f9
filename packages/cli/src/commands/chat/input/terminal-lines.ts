import { createInterface } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';
import type { Host } from '../../../process/host.ts';
import type { Output } from '../../../process/output.ts';
import { printable } from '../../../terminal/printable.ts';
import type { ChatInput, ChatLine } from './chat-input.ts';

export interface TerminalOptions {
  readonly host: Host;
  readonly err: Output;
  /** Ends the input. */
  readonly signal: AbortSignal;
  /** What begins so. */
  readonly complete: (line: string) => readonly string[];
  /** Lines of earlier sessions, newest first. */
  readonly typed: readonly string[];
}

/**
 * Lines of a terminal, edited with the usual keys. What is typed while a question runs shows with the next prompt.
 * Ctrl-C clears what is typed; where nothing is, and while something runs, it raises SIGINT.
 */
export function terminalLines({ host, err, signal, complete, typed }: TerminalOptions): ChatInput {
  const { stdin } = host;
  let isAsking = false;
  let isClosed = false;
  const lines: ChatLine[] = [];
  let wake = (): void => {};
  const keys = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => stdin.setRawMode?.(isRaw),
  });
  const editor = createInterface({
    input: keys,
    output: screenOf(host, () => isAsking),
    terminal: true,
    history: [...typed],
    historySize: 500,
    removeHistoryDuplicates: true,
    completer: (line: string): [string[], string] => [[...complete(line)], line],
  });
  // A password that a database asks for is no message.
  const onKeys = (chunk: Buffer | string): void => {
    if (!err.isHeld) keys.write(chunk);
  };
  const onEnd = (): void => void keys.end();
  const listen = (): void => {
    stdin.setRawMode?.(true);
    stdin.on('data', onKeys);
    stdin.on('end', onEnd);
    stdin.resume();
  };
  const letGo = (): void => {
    stdin.off('data', onKeys);
    stdin.off('end', onEnd);
    stdin.setRawMode?.(false);
    stdin.pause();
  };
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    signal.removeEventListener('abort', close);
    editor.close();
    letGo();
    wake();
  };
  editor.on('line', (text) => {
    isAsking = false;
    lines.push({ text });
    wake();
  });
  editor.on('close', close);
  editor.on('SIGINT', () => {
    if (isAsking && editor.line !== '') {
      editor.write(null, { ctrl: true, name: 'e' });
      editor.write(null, { ctrl: true, name: 'u' });
      return;
    }
    if (isAsking) host.stderr.write('\n');
    host.raise('SIGINT');
    if (isAsking && !isClosed) editor.prompt();
  });
  // Node pauses the input when it goes on after Ctrl-Z.
  editor.on('SIGCONT', () => {
    if (isAsking) editor.prompt(true);
    else editor.resume();
  });
  listen();
  if (signal.aborted) close();
  signal.addEventListener('abort', close, { once: true });
  return {
    isTerminal: true,
    async next(prompt) {
      const isFresh = lines.length === 0;
      if (isFresh && !isClosed) {
        // Whoever asked for a password has let go of the terminal.
        letGo();
        listen();
        isAsking = true;
        editor.setPrompt(prompt);
        editor.prompt(true);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        isAsking = false;
        if (isClosed) host.stderr.write('\n');
      }
      const line = lines.shift();
      if (line !== undefined && !isFresh) host.stderr.write(`${prompt}${printable(line.text)}\n`);
      return line;
    },
    async lend(use) {
      letGo();
      try {
        return await use();
      } finally {
        if (!isClosed) listen();
      }
    },
    close,
  };
}

/** The terminal for the editor of lines, which draws only while a line is asked for. */
function screenOf({ stderr }: Host, isShown: () => boolean): Writable {
  const screen = new Writable({
    write(chunk, _, done) {
      // At once: what waits would be judged by what is asked then.
      if (isShown()) stderr.write(chunk);
      done();
    },
  });
  stderr.on('resize', () => screen.emit('resize'));
  return Object.defineProperties(screen, {
    isTTY: { value: true },
    columns: { get: () => stderr.columns },
  });
}
