import { defineTask, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type { ConceptualModel, DesignFinding } from '../model/index.ts';
import { findingsText } from '../texts/report-text.ts';
import { conceptualModelText } from '../texts/schema-text.ts';
import { listOf, textField, wordOf } from './output-fields.ts';
import { groundSections, languageSentence, messageSections, type RoleTurnInput, roleSystemText } from './role-turn.ts';

export const REVIEW_TASK_ID = 'text2schema.review';

export interface ReviewInput extends RoleTurnInput {
  readonly model: ConceptualModel;
  /** What the designer said of it: its reasons. */
  readonly note?: string | undefined;
  /** What code found in the model, in this order numbered from 1. */
  readonly findings: readonly DesignFinding[];
}

/** What the reviewer judges; the rest is code's. */
const REVIEW_ISSUE_KINDS = [
  'missing entity set',
  'superfluous entity set',
  'missing relationship set',
  'superfluous relationship set',
  'missing attribute',
  'superfluous attribute',
  'misplaced attribute',
  'wrong cardinality',
  'wrong name',
] as const;

const reviewForm = z.object({
  thinking: textField().describe(
    'The procedure, gone through: what was doubtful and how it came out; a few sentences.',
  ),
  /** One for each finding of code. */
  answers: listOf(z.object({ finding: z.coerce.number().int(), stands: z.boolean(), remedy: textField() })),
  issues: listOf(
    z.object({
      kind: wordOf(REVIEW_ISSUE_KINDS),
      subject: textField(),
      evidence: textField().describe('Words of the requirement, word for word; empty where none are needed.'),
      problem: textField(),
      remedy: textField(),
    }),
  ),
  verdict: wordOf(['approve', 'reject']),
});

/** As the model wrote it; `reviewOutcome` says what holds. */
export type ReviewOutput = z.infer<typeof reviewForm>;

export type ReviewIssue = ReviewOutput['issues'][number];

/** The turn of the conceptual reviewer. */
export const reviewTask: Task<ReviewInput, ReviewOutput> = defineTask({
  id: REVIEW_TASK_ID,
  version: 1,
  description: 'Reviews an entity-relationship model against the requirement.',
  render: (input: ReviewInput): readonly Message[] => [
    systemMessage(roleSystemText('conceptual-reviewer', input.absentRoles)),
    userMessage(
      [
        ...groundSections(input),
        ...messageSections(input.messages, 'conceptual-reviewer', { own: true }),
        ...modelSections(input),
        ...findingSections(input.findings),
        ...languageSentence(input.report?.language),
        'Review the model.',
      ].join('\n\n'),
    ),
  ],
  output: reviewForm,
});

function modelSections({ model, note }: ReviewInput): readonly string[] {
  const said =
    note === undefined || note.trim() === '' ? [] : [`What the designer says of it:\n${fence('note', note)}`];
  return [`The model to be reviewed:\n${fence('model', conceptualModelText(model))}`, ...said];
}

function findingSections(findings: readonly DesignFinding[]): readonly string[] {
  if (findings.length === 0) return ['Code found nothing in it.'];
  return [
    `What code found in it. Answer each by its number; errors stand in any case:\n${fence('findings', findingsText(findings))}`,
  ];
}
