import { defineTask, fence, type Message, type RoleId, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type { Clarification, RequirementReport } from '../model/index.ts';
import { clarificationText, reportText } from '../texts/report-text.ts';
import { listOf, nameField, nameList, sentenceList, speakerField, textField, wordOf } from './output-fields.ts';
import { hasFeedback, languageSentence, messageSections, type RoleTurnInput, roleSystemText } from './role-turn.ts';

export const REPORT_TASK_ID = 'text2schema.report';

/** One part of a requirement; a short one is part 1 of 1. */
interface RequirementPart {
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** Empty where doubts about a requirement of several parts are answered: then the report so far stands for it. */
  readonly text: string;
}

export interface ReportInput extends Pick<RoleTurnInput, 'messages' | 'absentRoles'> {
  readonly part: RequirementPart;
  /** What the parts before this one gave, merged; or, where doubts are answered, the report that they are about. */
  readonly soFar?: RequirementReport | undefined;
  /** Clarifications that a person answered. */
  readonly answered?: readonly Clarification[] | undefined;
  /** BCP 47, of the requirement, where it is known. */
  readonly language?: string | undefined;
  /** False where a text that is not about data shall be reported on all the same. Default: true. */
  readonly mayRefuse?: boolean | undefined;
}

/**
 * `report`: the report of a whole requirement, or what a part adds to the report so far (`mergeReports`). `refusal`:
 * the text is not about data to be stored; of one part of several it says that this part is not.
 */
export type ReportOutput =
  | { readonly kind: 'report'; readonly report: RequirementReport; readonly next: RoleId | null }
  | { readonly kind: 'refusal'; readonly reason: string };

/** What the model writes. */
const reportForm = z.object({
  thinking: textField().describe('Scenarios for what the requirement leaves open, and what follows; a few sentences.'),
  outcome: wordOf(['report', 'refusal']).describe(
    'refusal: the text is not about data to be stored; then everything but the reason is empty.',
  ),
  reason: textField().describe('Why it is refused, in the language of the text; empty for a report.'),
  language: textField().describe('Of the requirement, BCP 47: en, zh.'),
  title: textField(),
  summary: textField(),
  functions: sentenceList(),
  subjects: listOf(z.object({ name: nameField(), attributes: nameList(), description: textField() })),
  relationships: sentenceList().describe(
    'One sentence each: name, numbers in both directions, facts, whether it repeats.',
  ),
  rules: sentenceList(),
  clarifications: listOf(
    z.object({
      kind: wordOf(['ambiguity', 'contradiction']),
      question: textField(),
      quotes: sentenceList().describe('Word for word; both sides of a contradiction.'),
      assumption: textField(),
    }),
  ),
  next: speakerField(['logical-designer']).describe('Null: the usual one.'),
});

const reportOutput = reportForm.transform(({ thinking: _, outcome, reason, next, ...report }): ReportOutput => {
  if (outcome === 'refusal') return { kind: 'refusal', reason };
  return { kind: 'report', report, next };
});

/** The turn of the product manager: the functional report of a requirement, or of one part of it. */
export const reportTask: Task<ReportInput, ReportOutput> = defineTask({
  id: REPORT_TASK_ID,
  version: 1,
  description: 'Writes the functional report of a requirement.',
  render: (input: ReportInput): readonly Message[] => [
    systemMessage(roleSystemText('product-manager', input.absentRoles)),
    userMessage(
      [
        ...partSections(input),
        ...messageSections(input.messages, 'product-manager'),
        ...answeredSections(input.answered ?? []),
        ...languageSentence(input.language),
        closing(input),
      ].join('\n\n'),
    ),
  ],
  output: reportOutput,
});

function partSections({ part, soFar }: ReportInput): readonly string[] {
  const title = part.of > 1 ? `Part ${part.number} of ${part.of} of the requirement` : 'The requirement';
  return [
    ...(soFar === undefined ? [] : [`The report so far:\n${fence('report', reportText(soFar))}`]),
    ...(part.text === '' ? [] : [`${title}:\n${fence('requirement', part.text)}`]),
  ];
}

function answeredSections(answered: readonly Clarification[]): readonly string[] {
  if (answered.length === 0) return [];
  const lines = answered.map(clarificationText).join('\n');
  return [`The user answered; the report must hold what was answered, and ask it no more:\n${fence('answers', lines)}`];
}

const WHOLE = 'Write the report of the requirement.';

const PART =
  'The requirement is read in parts. Write only what this part adds to the report so far: new functions, subjects, relationships, rules and open points, and for a subject that is known its name with the facts that are new. What an earlier part said is not repeated; where this part contradicts it, name the contradiction. Where this part adds nothing, leave the lists empty.';

const REVISED =
  'Write the report anew, complete, so that it settles the feedback. What the feedback does not concern stays word for word.';

const NO_REFUSAL = 'Write a report in any case: the user has confirmed that data is to be stored.';

function closing(input: ReportInput): string {
  const asked = hasFeedback(input.messages, 'product-manager') || (input.answered ?? []).length > 0;
  const job = asked && input.soFar !== undefined ? REVISED : input.part.of > 1 ? PART : WHOLE;
  return input.mayRefuse === false ? `${job} ${NO_REFUSAL}` : job;
}
