import { defineTask, fence, type Message, type Task } from '@askema/core';
import * as z from 'zod';
import { type PromptInput, taskMessages } from '../../prompts/prompt-sections.ts';

const EXPLORE_COLUMNS_TASK_ID = 'text2sql.explore-columns';

/** P_init of an exploration: what the prompts of all flows hold, and what was found out without a model. */
export interface ExplorationPromptInput extends PromptInput {
  /** Profiles that were taken without a model, as text; empty where there are none. */
  readonly profile: string;
}

export interface ExploreColumnsInput extends ExplorationPromptInput {
  /** Which of several explorations of one question this is, from 0: each looks from another side. */
  readonly thread: number;
  /** 0: as many as are needed. */
  readonly minProbes: number;
  /** Infinity: no limit is named. */
  readonly maxProbes: number;
  /** Probes of an answer before that had too few of them. */
  readonly earlier: readonly { readonly sql: string }[];
}

const exploreColumnsOutput = z.object({
  relevant: z
    .array(
      z.object({
        relation: z.string().describe('The relation as the schema writes it.'),
        attributes: z.array(z.string()).describe('Its attributes that the answer may need.'),
      }),
    )
    .describe('What the answer may need: for results, filters, joins, groups and order.'),
  probes: z
    .array(
      z.object({
        purpose: z.string().describe('What the result will tell, in a few words.'),
        looksFor: z
          .enum(['contents', 'exceptions'])
          .describe(
            'contents: rows are expected, and none means that it looked for the wrong thing. exceptions: it looks for what should not be there (duplicates, orphans, blanks, NULLs), and none is the good news.',
          ),
        sql: z.string().describe('One SELECT, without a trailing semicolon.'),
      }),
    )
    .describe('The statements; those whose results decide most come first.'),
});

export type ExploreColumnsOutput = z.infer<typeof exploreColumnsOutput>;

const JOB =
  'Somebody else will answer the question below with SQL. You find out first what the contents of the database mean for it: you name the relations and attributes that the answer may need, and write statements whose results show what the schema does not tell. Do not answer the question itself.';

const RULES: readonly string[] = [
  'Keep each as simple as what it is to show allows: over one relation (SELECT DISTINCT attribute FROM relation WHERE … LIMIT …), with a join or into nested attributes only where these are in question. Each must run by itself.',
  'Look for a text with a wide pattern around its most telling word, without regard to case: the spelling in the question need not be the stored one.',
  'Each statement is one SELECT without WITH. Do not ask for names of relations, attributes or types, or for any system table: the schema above has them.',
  'Spell and quote names as the schema does. Limit every result to what can be read at a glance: at most 100 rows and a few columns are shown.',
];

const KNOWN = 'What the cells are like was counted already: do not look up again what stands there.';

/** What an exploration looks at first; further ones begin again and are told to look elsewhere. */
const SIDES: readonly string[] = [
  'Look above all at values: how each name, term, status, unit and date of the question is stored and spelled, and in which attribute.',
  'Look above all at keys and joins: which attributes connect the relations, whether values repeat on one side, have no counterpart, or are counted twice by a join, and what one row of each relation stands for.',
  'Look above all at the odd cases: NULLs, empty and default values, duplicates, units and formats that differ within an attribute, the first and the last date, what lies inside of nested attributes, and other attributes that could be meant as well.',
];

const RECIPES: Readonly<Record<string, string>> = {
  search: 'A pattern',
  elements: 'The elements of a nested attribute',
  jsonFields: 'The fields inside of a nested attribute',
};

/** The prompt of the exploration (ReFoRCE, section 3.2.3). */
export const exploreColumnsTask: Task<ExploreColumnsInput, ExploreColumnsOutput> = defineTask({
  id: EXPLORE_COLUMNS_TASK_ID,
  version: 3,
  description: 'Names relevant attributes and writes statements that show what they hold.',
  render: (input: ExploreColumnsInput): readonly Message[] => explorationMessages(input, JOB, wishes(input)),
  output: exploreColumnsOutput,
});

/** The prompt of a task of an exploration: what was counted and the rules are the same for all of them. */
export function explorationMessages(
  input: ExplorationPromptInput,
  job: string,
  sections: readonly string[],
): readonly Message[] {
  const recipes = Object.entries(RECIPES).flatMap(([name, what]) => {
    const skeleton = input.dialect.probes[name];
    return skeleton === undefined ? [] : [`- ${what}: ${skeleton}`];
  });
  const isProfiled = input.profile.trim() !== '';
  const shared = [
    ...(isProfiled ? [`What its cells look like, already counted:\n${fence('profile', input.profile)}`] : []),
    ['Rules for statements that look into the database:', ...RULES, ...(isProfiled ? [KNOWN] : [])].join('\n- '),
    ...(recipes.length === 0 ? [] : [['How to look for:', ...recipes].join('\n')]),
  ];
  return taskMessages(input, { shared, job, sections });
}

function wishes({ thread, minProbes, maxProbes, earlier }: ExploreColumnsInput): readonly string[] {
  const side = SIDES[thread % SIDES.length] ?? '';
  const again =
    thread < SIDES.length
      ? ''
      : ` This is exploration ${thread + 1} of this question: look where the first ones would not.`;
  const wanted = wantedText(minProbes, maxProbes);
  if (earlier.length === 0) return [`${side}${again} ${wanted} ${ORDER}`];
  const known = earlier.map(({ sql }) => sql).join('\n\n');
  return [`${side}${again} ${wanted} ${ORDER}`, `These were not enough; write others:\n${fence('statements', known)}`];
}

const ORDER = 'Put first what decides most about the answer: where time runs out, the last ones are not run.';

function wantedText(least: number, most: number): string {
  const atMost = Number.isFinite(most) ? `at most ${most}` : '';
  if (least > 0) return `Write at least ${least}${atMost === '' ? '' : ` and ${atMost}`} different statements.`;
  const limit = atMost === '' ? '' : `, ${atMost} in all`;
  return `Write one statement for each thing that the answer depends on and that is not known yet${limit}: few where little is open, none where nothing is.`;
}
