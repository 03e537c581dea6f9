import type { Output } from '../process/output.ts';
import { cutToWidth } from './display-width.ts';
import { formatDuration } from './duration.ts';
import { printable } from './printable.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const INTERVAL_MS = 100;
const ERASE_LINE = '\r\u001b[2K';

/** One line on a terminal that says what happens now. */
export interface ProgressLine {
  /** What stands behind the spinner. */
  show(text: string): void;
  /** Takes the line away, so that something else can be written; `show` brings it back. */
  pause(): void;
  /** Takes the line away for good. */
  stop(): Promise<void>;
}

/** A progress line on `output`; nothing at all when that is no terminal. */
export function startProgressLine(output: Output, now: () => number = Date.now): ProgressLine {
  if (!output.isTerminal) return { show: () => {}, pause: () => {}, stop: async () => {} };
  const startedAt = now();
  let text = '';
  let frame = 0;
  let isShown = false;
  let isPaused = true;
  const draw = (): void => {
    if (isPaused || output.isHeld) return;
    frame = (frame + 1) % FRAMES.length;
    const line = `${FRAMES[frame]} ${text} · ${formatDuration(now() - startedAt)}`;
    isShown = true;
    void output.write(`${ERASE_LINE}${output.dim(cutToWidth(printable(line), (output.columns ?? 80) - 1))}`);
  };
  const erase = (): void => {
    isPaused = true;
    if (isShown) void output.write(ERASE_LINE);
    isShown = false;
  };
  const timer = setInterval(draw, INTERVAL_MS);
  timer.unref();
  return {
    show(next) {
      text = next;
      isPaused = false;
      draw();
    },
    pause: erase,
    async stop() {
      clearInterval(timer);
      erase();
      await output.flush();
    },
  };
}
