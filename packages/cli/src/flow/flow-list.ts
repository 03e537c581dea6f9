import type { JsonValue } from '@askema/core';
import type { Text2SqlFlow } from '@askema/text2sql';
import { plain } from '@askema/text2sql/ask';
import type { AskemaConfig } from '../config/askema-config.ts';
import { INSPECTION_TOOLS } from '../flags/read-severities.ts';
import { type AutoFlags, readAuto } from './read-auto.ts';
import { type InspectFlags, readInspect } from './read-inspect.ts';
import { REFINE_STAGES, type RefineFlags, readRefine } from './read-refine.ts';

/** Flags of single flows. */
export interface FlowFlags extends AutoFlags, RefineFlags, InspectFlags {}

/** A flow, and what was chosen for it. */
export interface MadeFlow {
  readonly flow: Text2SqlFlow;
  /** The options that it was made with, by its name: part of what a measurement is recorded with. */
  readonly options: Readonly<Record<string, JsonValue>>;
  /** The default of `--timeout`, for all statements of a question. */
  readonly statementsMs?: number | undefined;
}

/** A flow that `--flow` knows. */
export interface ListedFlow {
  readonly name: string;
  /** The flags that belong to it. */
  readonly flags: readonly (keyof typeof FLAG_NAMES)[];
  /** What `--without` may leave out of it. */
  readonly parts: readonly string[];
  /**
   * The flow with what the flags say. Only `plain` is loaded before it is asked for. Files are named from `cwd`.
   *
   * Rejects with `INPUT_INVALID` for flags that make no sense together, and for `--no-samples` where it cannot be kept.
   */
  readonly make: (flags: FlowFlags, config: AskemaConfig, cwd: string) => Promise<MadeFlow>;
}

/** How the flags of flows are written. */
export const FLAG_NAMES = {
  effort: '--effort',
  confidence: '--confidence',
  preset: '--preset',
  threads: '--threads',
  cteOnly: '--cte-only',
  conversation: '--conversation',
  inspect: '--inspect',
  maxInspections: '--max-inspections',
  engineErrors: '--engine-errors',
} as const satisfies Partial<Record<keyof FlowFlags, string>>;

/** Several threads explore and try; each statement has a limit of its own beside it. */
const OF_REFINE_MS = 300_000;

const flows = () => import('@askema/text2sql');

/** The flows of the command: what they are called, and which flags they take. */
export const FLOWS: readonly ListedFlow[] = [
  { name: 'plain', flags: [], parts: [], make: async () => ({ flow: plain(), options: {} }) },
  {
    name: 'auto',
    flags: ['effort', 'confidence'],
    parts: [],
    make: async (flags, { lint }, cwd) => {
      const { auto } = await flows();
      const options = await readAuto(flags, cwd, lint);
      return {
        flow: auto(options),
        options: { auto: options as JsonValue },
        // `refine` may come last.
        ...(options.effort === 'high' ? { statementsMs: OF_REFINE_MS } : {}),
      };
    },
  },
  {
    name: 'refine',
    flags: ['preset', 'threads', 'cteOnly', 'conversation', 'inspect'],
    parts: REFINE_STAGES,
    make: async (flags) => {
      const { REFINE_PRESET_NAMES, refine } = await flows();
      const options = readRefine(flags, REFINE_PRESET_NAMES);
      return {
        flow: refine(options),
        options: options === undefined ? {} : { refine: options as JsonValue },
        statementsMs: OF_REFINE_MS,
      };
    },
  },
  {
    name: 'inspect',
    flags: ['maxInspections', 'engineErrors'],
    parts: INSPECTION_TOOLS,
    make: async (flags, { lint }) => {
      const { inspect } = await flows();
      const options = readInspect(flags, lint);
      return { flow: inspect(options), options: { inspect: options as JsonValue } };
    },
  },
  { name: 'react', flags: [], parts: [], make: async () => ({ flow: (await flows()).react(), options: {} }) },
  { name: 'direct', flags: [], parts: [], make: async () => ({ flow: (await flows()).direct(), options: {} }) },
];
