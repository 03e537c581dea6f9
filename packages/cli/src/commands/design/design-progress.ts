import type { EventSink } from '@askema/core';
import type { SchemaRole, StrategyName } from '@askema/text2schema';
import type { Output } from '../../process/output.ts';
import { printable } from '../../terminal/printable.ts';
import type { ProgressLine } from '../../terminal/progress-line.ts';

/** What a role does, for who waits. */
const WORK: Readonly<Record<SchemaRole, string>> = {
  'product-manager': 'writing the requirement report',
  'conceptual-designer': 'designing entity sets and relationship sets',
  'conceptual-reviewer': 'reviewing the conceptual model',
  'logical-designer': 'finding types and dependencies',
  'qa-engineer': 'writing test cases',
  'test-executor': 'running and judging the tests',
};

const TITLES: Readonly<Record<SchemaRole, string>> = {
  'product-manager': 'Product manager',
  'conceptual-designer': 'Conceptual designer',
  'conceptual-reviewer': 'Conceptual reviewer',
  'logical-designer': 'Logical designer',
  'qa-engineer': 'QA engineer',
  'test-executor': 'Test executor',
};

interface DesignProgressOptions {
  readonly verbose: boolean;
  readonly strategy: StrategyName;
  readonly now?: (() => number) | undefined;
}

/**
 * Shows on the progress line who works, and with `verbose` writes one line for each turn: who said something to whom.
 */
export function createDesignProgress(
  line: ProgressLine,
  err: Output,
  { verbose, strategy, now = Date.now }: DesignProgressOptions,
): EventSink {
  const startedAt = now();
  let words = strategy === 'schema-agent' ? 'starting' : `${strategy}: designing`;
  let modelCalls = 0;
  const show = (note = ''): void => {
    const calls = modelCalls === 0 ? '' : `${modelCalls} model ${modelCalls === 1 ? 'call' : 'calls'}`;
    line.show([words, note === '' ? calls : note].filter((part) => part !== '').join(' · '));
  };
  return (event) => {
    if (event.type === 'step-started') {
      const work = WORK[event.step as SchemaRole];
      if (work === undefined) return;
      words = `${TITLES[event.step as SchemaRole]}: ${work}`;
      return show();
    }
    if (event.type !== 'call') return;
    if (event.call === 'model-retry') return show('the model did not answer, trying again');
    if (event.call === 'turn' && verbose) {
      line.pause();
      void err.write(`${err.dim(turnLine(event.data, (now() - startedAt) / 1000))}\n`);
      return show();
    }
    if (event.call !== 'model-call' || event.data.sent === false) return;
    modelCalls += 1;
    show();
  };
}

/** `12.3 s  Logical designer → Conceptual designer  feedback`. */
function turnLine({ role, next, kind }: Readonly<Record<string, unknown>>, seconds: number): string {
  const title = (id: unknown): string => TITLES[id as SchemaRole] ?? printable(String(id));
  const to = typeof next === 'string' ? ` → ${title(next)}` : '';
  return `${seconds.toFixed(1).padStart(6)} s  ${title(role)}${to}  ${kind === 'end' ? 'TERMINAL' : String(kind)}`;
}
