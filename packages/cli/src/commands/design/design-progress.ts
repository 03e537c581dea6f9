import type { EventSink } from '@askema/core';
import type { DesignArtefacts, DesignPhase, PresetName, SchemaRole, StrategyName } from '@askema/text2schema';
import type { Output } from '../../process/output.ts';
import { printable, printableLines } from '../../terminal/printable.ts';
import type { ProgressLine } from '../../terminal/progress-line.ts';
import { openTestLines, testCounts } from './test-lines.ts';

/** What a role does, for who waits. */
const WORK: Readonly<Record<SchemaRole, string>> = {
  'product-manager': 'writing the requirement report',
  'conceptual-designer': 'designing entity sets and relationship sets',
  'conceptual-reviewer': 'reviewing the conceptual model',
  'logical-designer': 'finding types and dependencies',
  'qa-engineer': 'writing test cases',
  'test-executor': 'running and judging the tests',
};

/** The same in the preset `tested`. */
const TESTED_WORK: Readonly<Record<SchemaRole, string>> = {
  ...WORK,
  'conceptual-reviewer': 'looking for counter-examples',
  'logical-designer': 'designing the schema',
  'qa-engineer': 'writing tests from the requirement alone',
  'test-executor': 'running the tests',
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
  readonly preset: PresetName | undefined;
  readonly now?: (() => number) | undefined;
}

/** Shows where a design stands. */
export interface DesignProgress {
  readonly onEvent: EventSink;
  onPhase(phase: DesignPhase, artefacts: DesignArtefacts): void;
}

/**
 * Shows on the progress line who works and what the last run of the tests came to. With `verbose` it writes one line for
 * each turn (who said something to whom), and what each run of the tests came to, with the tests that did not pass.
 */
export function createDesignProgress(
  line: ProgressLine,
  err: Output,
  { verbose, strategy, preset, now = Date.now }: DesignProgressOptions,
): DesignProgress {
  const startedAt = now();
  const work = preset === 'tested' ? TESTED_WORK : WORK;
  let words = strategy === 'schema-agent' ? 'starting' : `${strategy}: designing`;
  let tests = '';
  let modelCalls = 0;
  const show = (note = ''): void => {
    const calls = modelCalls === 0 ? '' : `${modelCalls} model ${modelCalls === 1 ? 'call' : 'calls'}`;
    line.show([words, tests, note === '' ? calls : note].filter((part) => part !== '').join(' · '));
  };
  const write = (text: string): void => {
    line.pause();
    void err.write(`${err.dim(text)}\n`);
    show();
  };
  return {
    onEvent(event) {
      if (event.type === 'step-started') {
        const does = work[event.step as SchemaRole];
        if (does === undefined) return;
        words = `${titleOf(event.step)}: ${does}`;
        return show();
      }
      if (event.type !== 'call') return;
      if (event.call === 'model-retry') return show('the model did not answer, trying again');
      if (event.call === 'turn' && verbose) return write(turnLine(event.data, secondsSince(startedAt, now())));
      if (event.call !== 'model-call' || event.data.sent === false) return;
      modelCalls += 1;
      show();
    },
    onPhase(phase, artefacts) {
      if (phase !== 'tests' || preset !== 'tested') return;
      tests = testCounts(artefacts);
      if (!verbose) return show();
      write(
        [
          `${secondsSince(startedAt, now())}  ${tests}`,
          ...openTestLines(artefacts).map((each) => printableLines(`            ${each}`)),
        ].join('\n'),
      );
    },
  };
}

/** `12.3 s`. */
function secondsSince(startedAt: number, now: number): string {
  return `${((now - startedAt) / 1000).toFixed(1).padStart(6)} s`;
}

function titleOf(role: unknown): string {
  return TITLES[role as SchemaRole] ?? printable(String(role));
}

/** `12.3 s  Logical designer → Conceptual designer  feedback`. */
function turnLine({ role, next, kind }: Readonly<Record<string, unknown>>, seconds: string): string {
  const to = typeof next === 'string' ? ` → ${titleOf(next)}` : '';
  return `${seconds}  ${titleOf(role)}${to}  ${kind === 'end' ? 'TERMINAL' : String(kind)}`;
}
