import { fence, type Message } from '@askema/core';
import { taskMessages } from '../../../prompts/prompt-sections.ts';
import type { CteNote, CteProbe, LookedStep } from '../state/cte-work.ts';
import { type RefinePromptInput, refineSections } from './refine-sections.ts';

/** A step of the statement, as a prompt shows it. */
interface ShownStep {
  readonly name: string;
  /** In the words of the model; empty where it said nothing. */
  readonly purpose: string;
  readonly text: string;
}

/** A step that was looked at. */
type SeenStep = ShownStep & Pick<LookedStep, 'figures'>;

/** What the prompts about one step share. */
export interface StepSectionsInput {
  readonly step: ShownStep;
  /** From 1. */
  readonly number: number;
  /** CTEs, and the SELECT behind them. */
  readonly of: number;
  /** What the step reads, in the order of the statement. */
  readonly reads: readonly SeenStep[];
  /** What was wrong with earlier texts of this step. */
  readonly notes: readonly CteNote[];
}

const JOB =
  'You answer the question with one statement that goes step by step: common table expressions (CTEs), each with one purpose, and a SELECT behind them. It was hard to get right in one go, so each step is run and looked at by itself, and the first one that is wrong is mended before anything that builds on it counts.';

const CTE_RULES: readonly string[] = [
  'A CTE does one thing: filter, join, aggregate, or rank. Its name says what one row of it stands for: `orders_of_2024`, `revenue_per_customer`.',
  'A CTE keeps the keys that later steps join along and that show whether rows repeat. The rule about exactly the asked columns is for the SELECT behind the CTEs.',
  'Aggregate in a CTE of its own before a join that would repeat rows. No ORDER BY or LIMIT inside a CTE, unless the step is to rank or to pick.',
  'Conditions with stored values stand in early CTEs, where their effect shows.',
];

/** The prompt of a task of the CTE stage: job and rules are the same for all of them. */
export function cteMessages(input: RefinePromptInput, sections: readonly string[]): readonly Message[] {
  const rules = ['About steps:', ...CTE_RULES].join('\n- ');
  return taskMessages(input, { shared: refineSections(input), job: JOB, sections: [rules, ...sections] });
}

/**
 * Which step it is, what it is for, its text, and what it reads. All of it was written by a model: it stands in fences.
 */
export function stepSections({ step, number, of, reads, notes }: StepSectionsInput): readonly string[] {
  const sections = reads.map(
    (read) =>
      `It reads this step, which was looked at before:\n${fence('step', `${headOf(read)}\nGives ${read.figures}\n\n${read.text}`)}`,
  );
  const earlier = notes.map(
    ({ text, problem }) =>
      `An earlier text of this step:\n${fence('step', text)}\nWhat was wrong with it:\n${fence('problem', problem)}`,
  );
  return [...sections, ...earlier, `Step ${number} of ${of}:\n${fence('step', `${headOf(step)}\n\n${step.text}`)}`];
}

/** Statements that were run to find out more, with what they gave. */
export function probeSections(probes: readonly CteProbe[]): readonly string[] {
  return probes.map(({ sql, view, error }) => {
    const outcome = error === undefined ? `gave:\n${fence('result', view ?? '')}` : `failed:\n${fence('error', error)}`;
    return `To find out more\n${fence('statement', sql)}\n${outcome}`;
  });
}

function headOf({ name, purpose }: ShownStep): string {
  return purpose === '' ? name : `${name}: ${purpose}`;
}
