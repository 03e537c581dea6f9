import { defineTask, FENCE_NOTE, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import { CERTAINTIES, EXPECTATION_KINDS, type ExpectationKind } from './expectation.ts';

/** The fewest of each kind; and of all kinds together. */
const FEWEST: Readonly<Partial<Record<ExpectationKind, number>>> = { event: 4, refusal: 3 };
const FEWEST_IN_ALL = 20;
/** More would make the prompt of the judge too long. */
const MOST_IN_ALL = 40;

const listExpectationsOutput = z.object({
  expectations: z
    .array(
      z.object({
        kind: z.enum(EXPECTATION_KINDS),
        quote: z.string().describe('The words of the requirement that it comes from, letter by letter; else empty.'),
        says: z.string().trim().min(1).describe('One sentence about one thing.'),
        certainty: z.enum(CERTAINTIES),
      }),
    )
    .min(FEWEST_IN_ALL)
    .max(MOST_IN_ALL)
    .superRefine((expectations, context) => {
      for (const [kind, fewest] of Object.entries(FEWEST)) {
        const found = expectations.filter((each) => each.kind === kind).length;
        if (found < fewest)
          context.addIssue({
            code: 'custom',
            message: `There are ${found} of kind ${kind}; at least ${fewest} are needed.`,
          });
      }
    }),
});

export type ListExpectationsOutput = z.infer<typeof listExpectationsOutput>;

const SYSTEM = [
  'You get the requirement of a system and list what its relational schema must be able to do. You see no schema: many can be right, and each right one must meet every expectation on your list.',
  [
    'Three kinds:',
    '- fact: something that must be storable, with all that makes it complete: that a reader returned a book, and on which day.',
    '- event: a history that must be possible: the same person books the same room for the same day again after cancelling; an owner without parts yet; a fact that becomes known later; two people of one name; somebody leaves and comes back.',
    '- refusal: a state that must not be: the same enrolment twice; an order line of an order that does not exist. Only what keys, references, uniqueness or required facts of a schema can refuse: no overlap of periods, no arithmetic, no order in time.',
  ].join('\n'),
  [
    'Certainty: `said` where the requirement says it, with its words as the quote; `implied` where any such business has it although the text is silent.',
    `Rules: ${FEWEST_IN_ALL} to 30 expectations, among them at least ${FEWEST.event} events and ${FEWEST.refusal} refusals, spread over the whole requirement. Each is about one thing, concrete, and can be decided by reading a schema. Use the words of the business, not of tables or columns, and ask for no particular way to store something. Nothing about applications: no screens, no logins, no permissions, no figures that can be computed from what is stored.`,
  ].join('\n'),
  FENCE_NOTE,
].join('\n\n');

/** Lists what a schema must be able to do, from the requirement alone. */
export const listExpectationsTask: Task<{ readonly requirement: string }, ListExpectationsOutput> = defineTask({
  id: 'eval.list-expectations',
  version: 1,
  description: 'Lists facts, events and refusals that a schema for a requirement must meet.',
  render: ({ requirement }: { readonly requirement: string }): readonly Message[] => [
    systemMessage(SYSTEM),
    userMessage(fence('requirement', requirement)),
  ],
  output: listExpectationsOutput,
});
