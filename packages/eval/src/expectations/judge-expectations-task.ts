import { defineTask, FENCE_NOTE, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type { Expectation } from './expectation.ts';

/** A design without a name. */
export interface LetteredDesign {
  /** `A`, `B`, … */
  readonly letter: string;
  /** The schema, and the assumptions where the design states some. */
  readonly text: string;
  readonly hasAssumptions: boolean;
}

interface JudgeExpectationsInput {
  readonly requirement: string;
  readonly expectations: readonly Pick<Expectation, 'number' | 'kind' | 'says'>[];
  readonly designs: readonly LetteredDesign[];
}

const letters = z.array(z.string());

const judgeExpectationsOutput = z.object({
  expectations: z.array(
    z.object({
      number: z.number().int(),
      fails: z.array(
        z.object({
          designs: letters.min(1),
          reason: z
            .string()
            .describe('At most twelve words: which relation, attribute or key is missing or in the way.'),
        }),
      ),
      stated: letters,
      holds: letters,
    }),
  ),
});

export type JudgeExpectationsOutput = z.infer<typeof judgeExpectationsOutput>;

const SYSTEM = [
  'You get the requirement of a system, a numbered list of expectations, and several relational schemas for this requirement, called A, B, C and so on. Say for every expectation and every schema whether the schema meets it. Judge each schema by itself: many shapes and names are right, and neither length nor likeness to another one is a merit.',
  [
    'How to read a schema: a relation with its attributes and types; an attribute may be empty unless it is part of the key or marked `not null`; the key, each attribute marked `unique`, and each reference are enforced. Nothing else is: no triggers, no application.',
    '- fact: holds where all of it can be stored, each part in an attribute or relation made for it, connected to what it belongs to. A free text for anything does not count.',
    '- event: holds where every step of it can be stored one after another, what came before is still there unless the expectation replaces it, and no key, reference or required attribute is in the way.',
    '- refusal: holds only where a key, uniqueness, a reference or `not null` makes the database refuse the state. A generated number as the key refuses no repetition.',
    'Play it through with rows before you answer.',
  ].join('\n'),
  [
    'Verdicts: `holds`; `stated`, where the schema does not meet it but an assumption that stands with the schema settles this very point; `fails`, with the reason. A schema without assumptions is never `stated`.',
    'Answer every number once, in order, and name every letter exactly once for it: in `fails`, `stated` or `holds`. Designs that fail for one reason share an entry.',
  ].join('\n'),
  FENCE_NOTE,
].join('\n\n');

/** Judges designs that have no names by the expectations of their requirement. */
const judgeExpectationsTask: Task<JudgeExpectationsInput, JudgeExpectationsOutput> = defineTask({
  id: 'eval.judge-expectations',
  version: 1,
  description: 'Says which expectations of a requirement each of several schemas meets.',
  render: ({ requirement, expectations, designs }: JudgeExpectationsInput): readonly Message[] => [
    systemMessage(SYSTEM),
    userMessage(
      [
        fence('requirement', requirement),
        fence('expectations', expectations.map(({ number, kind, says }) => `${number}. ${kind}: ${says}`).join('\n')),
        ...designs.map(({ letter, text }) => fence(`schema ${letter}`, text)),
      ].join('\n\n'),
    ),
  ],
  output: judgeExpectationsOutput,
});

/** The task for these numbers and letters: an answer that leaves one out, or names one twice, is sent back. */
export function judgeTaskFor({
  expectations,
  designs,
}: Pick<JudgeExpectationsInput, 'expectations' | 'designs'>): Task<JudgeExpectationsInput, JudgeExpectationsOutput> {
  const numbers = expectations.map(({ number }) => String(number));
  const known = designs.map(({ letter }) => letter);
  const output = judgeExpectationsOutput.superRefine((answer, context) => {
    const complain = (message: string): void => context.addIssue({ code: 'custom', message });
    const given = answer.expectations.map(({ number }) => String(number));
    for (const problem of notOnceEach(given, numbers)) complain(`Expectations: ${problem}.`);
    for (const { number, fails, stated, holds } of answer.expectations) {
      const named = [...fails.flatMap((each) => each.designs), ...stated, ...holds];
      for (const problem of notOnceEach(named, known)) complain(`Expectation ${number}: ${problem}.`);
      for (const letter of stated)
        if (designs.some((design) => design.letter === letter && !design.hasAssumptions))
          complain(`Expectation ${number}: ${letter} states no assumptions, so nothing of it is \`stated\`.`);
    }
  });
  return { ...judgeExpectationsTask, output };
}

function notOnceEach(given: readonly string[], wanted: readonly string[]): readonly string[] {
  const repeated = given.filter((each, at) => given.indexOf(each) !== at);
  return [
    ...wanted.filter((each) => !given.includes(each)).map((each) => `${each} is missing`),
    ...given.filter((each) => !wanted.includes(each)).map((each) => `${each} was not asked for`),
    ...[...new Set(repeated)].filter((each) => wanted.includes(each)).map((each) => `${each} stands twice`),
  ];
}
