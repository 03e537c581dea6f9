import type { Environment, OutputStream } from './host.ts';

type Paint = (text: string) => string;

/** A stream with what the command needs to know about it. A reader that has gone (`| head`) is no error. */
export interface Output {
  readonly isTerminal: boolean;
  /** Columns of the terminal; undefined when it is none. */
  readonly columns: number | undefined;
  readonly hasColour: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
  /** True while something is asked in the last line, so that nothing may be drawn there. */
  readonly isHeld: boolean;
  /** Takes the last line; returns how to give it back. */
  hold(): () => void;
  /** True when nobody reads any more. */
  readonly isGone: boolean;
  /** Resolves when the text was taken over, or when nobody reads any more. */
  write(text: string): Promise<void>;
  /** Resolves when everything written so far was taken over. */
  flush(): Promise<void>;
}

/** @throws Error from `write` and `flush` when the stream fails for a different reason than a reader that has gone. */
export function createOutput(stream: OutputStream, env: Environment): Output {
  const isTerminal = stream.isTTY === true && env.TERM !== 'dumb';
  const hasColour = wantsColour(isTerminal, env);
  const paint =
    (open: number, close: number): Paint =>
    (text) =>
      hasColour ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  let closed = false;
  let holders = 0;
  let last: Promise<void> = Promise.resolve();
  // Without a listener a failed write would end the process; the callback of `write` reports it to us.
  stream.on('error', () => {
    closed = true;
  });
  return {
    isTerminal,
    hasColour,
    get columns() {
      return isTerminal ? stream.columns : undefined;
    },
    get isHeld() {
      return holders > 0;
    },
    get isGone() {
      return closed;
    },
    hold() {
      holders += 1;
      return () => {
        holders -= 1;
      };
    },
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
    write(text) {
      if (closed || text === '') return last;
      last = Promise.all([last, writeOnce(stream, text)]).then(([, gone]) => {
        if (gone) closed = true;
      });
      last.catch(() => {});
      return last;
    },
    flush: () => last,
  };
}

/** Resolves to true when nobody reads the stream any more. */
function writeOnce(stream: OutputStream, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (!error) return resolve(false);
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'EOF') resolve(true);
      else reject(error);
    });
  });
}

/** FORCE_COLOR wins, as it does in Node; then NO_COLOR (https://no-color.org); then the terminal decides. */
function wantsColour(isTerminal: boolean, env: Environment): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  return isTerminal;
}
