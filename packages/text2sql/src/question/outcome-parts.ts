import type { Outcome } from '@askema/core';

/** A question that was answered. */
export type Answered = Extract<Outcome, { readonly type: 'answered' }>;

/** A question that waits for a decision. */
export type NeedsClarification = Extract<Outcome, { readonly type: 'needsClarification' }>;

/** One way to read a question that waits for a decision. */
export type Choice = NeedsClarification['choices'][number];

/** Something that an answer took for granted. */
export type Assumption = Answered['assumptions'][number];

/** Something that an answer stands on. */
export type Basis = Answered['basedOn'][number];

/** How likely an answer is to be right. */
export type Confidence = NonNullable<Answered['confidence']>;
