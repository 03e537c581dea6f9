import { defineTask, type Message, type RoleId, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type { Clarification, RequirementReport } from '../model/index.ts';
import { listOf, nameField, nameList, sentenceList, speakerField, textField, wordOf } from './output-fields.ts';
import type { RoleTurnInput } from './role-turn.ts';

export const REPORT_TASK_ID = 'text2schema.report';

/** One part of a requirement; a short one is part 1 of 1. */
export interface RequirementPart {
  /** From 1. */
  readonly number: number;
  readonly of: number;
  readonly text: string;
}

export interface ReportInput extends Pick<RoleTurnInput, 'messages'> {
  readonly part: RequirementPart;
  /** What the parts before this one gave, merged; or, where doubts are answered, the report that they are about. */
  readonly soFar?: RequirementReport | undefined;
  /** Clarifications that a person answered. */
  readonly answered?: readonly Clarification[] | undefined;
  /** False where a text that is not about data shall be reported on all the same. Default: true. */
  readonly mayRefuse?: boolean | undefined;
}

/**
 * `report`: the report of a whole requirement, or what a part adds to the report so far (`mergeReports`). `refusal`: the text is not about
 * data to be stored; of one part of several it says that this part is not.
 */
export type ReportOutput =
  | { readonly kind: 'report'; readonly report: RequirementReport; readonly next: RoleId | null }
  | { readonly kind: 'refusal'; readonly reason: string };

/** What the model writes. */
export const reportForm = z.object({
  thinking: textField(),
  outcome: wordOf(['report', 'refusal']),
  reason: textField(),
  language: textField(),
  title: textField(),
  summary: textField(),
  functions: sentenceList(),
  subjects: listOf(z.object({ name: nameField(), attributes: nameList(), description: textField() })),
  relationships: sentenceList(),
  rules: sentenceList(),
  clarifications: listOf(
    z.object({
      kind: wordOf(['ambiguity', 'contradiction']),
      question: textField(),
      quotes: sentenceList(),
      assumption: textField(),
    }),
  ),
  next: speakerField(['logical-designer']),
});

export const reportOutput = reportForm.transform(({ thinking: _, outcome, reason, next, ...report }): ReportOutput => {
  if (outcome === 'refusal') return { kind: 'refusal', reason };
  return { kind: 'report', report, next };
});

/** The turn of the product manager: the functional report of a requirement, or of one part of it. */
export const reportTask: Task<ReportInput, ReportOutput> = defineTask({
  id: REPORT_TASK_ID,
  version: 1,
  description: 'Writes the functional report of a requirement.',
  render: (input: ReportInput): readonly Message[] => [systemMessage('…'), userMessage(input.part.text)],
  output: reportOutput,
});
