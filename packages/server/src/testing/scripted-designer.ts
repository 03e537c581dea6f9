import type { Solver } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { ServedDesign } from '../contract.ts';

export const BOOKS = 'Books have a number and a title.';
/** Each half of it says another thing. */
export const CONTRADICTORY = `${BOOKS} A book has exactly one author. A book may have several authors.`;

export interface ScriptedDesigner {
  readonly design: () => ServedDesign;
  /** The tasks that its model was asked. */
  readonly asked: string[];
  /** Resolves when a role that stands still has begun. */
  standing(): Promise<void>;
}

const REPORT = {
  ...{ language: 'en', title: 'Books', summary: 'Books are kept.', functions: [], relationships: [], rules: [] },
  subjects: [{ name: 'Book', attributes: ['number', 'title'], description: 'What is read.' }],
};
const QUESTION = {
  ...{ kind: 'contradiction', question: 'How many authors has a book?', assumption: 'Several.' },
  quotes: ['A book has exactly one author.', 'A book may have several authors.'],
};
const SET = {
  set: 'Book',
  attributes: [
    { name: 'Number', type: 'TEXT', constraints: [] },
    { name: 'Title', type: 'TEXT', constraints: [] },
  ],
  dependencies: [{ left: ['Number'], right: ['Title'] }],
  preferredKey: [],
};

/** Roles by script: a requirement with a contradiction is asked back, one with `slow` stands still at its second role. */
export function scriptedDesigner(options: Partial<ServedDesign['text2schema']> = {}): ScriptedDesigner {
  const asked: string[] = [];
  const begun = Promise.withResolvers<void>();
  const replies: Readonly<Record<string, (input: string) => unknown>> = {
    report: (input) => ({
      ...{ kind: 'report', next: null },
      report: { ...REPORT, clarifications: input.includes('exactly one author') ? [QUESTION] : [] },
    }),
    'conceptual-model': () => ({
      ...{ thinking: 'A book.', doubts: [], next: null },
      model: { entitySets: [{ name: 'Book', attributes: ['Number', 'Title'] }], relationshipSets: [] },
    }),
    'logical-design': (input) => ({
      ...{ thinking: 'By its number.', complaints: [], next: null },
      proposal: input.includes('"proposal"') ? undefined : { sets: [SET] },
    }),
  };
  let isSlow = false;
  const model: Solver = {
    name: 'scripted',
    supports: () => true,
    async solve(task, input, context) {
      const role = task.id.replace('text2schema.', '');
      const call = async () => {
        const text = JSON.stringify(input);
        asked.push(role);
        isSlow ||= text.includes('slow');
        if (isSlow && role === 'conceptual-model') {
          begun.resolve();
          await new Promise((_resolve, reject) => {
            context.signal?.addEventListener('abort', () => reject(context.signal?.reason), { once: true });
          });
        }
        return replies[role]?.(text) as never;
      };
      const value = context.memo === undefined ? await call() : await context.memo('model', call);
      return { value, usage: { inputTokens: 8, outputTokens: 2 }, calls: 1, solvedBy: 'scripted', warnings: [] };
    },
  };
  const switches = { reviewer: false, tests: false };
  const text2schema = { model, preset: 'paper', switches, ...options } as const;
  return { asked, standing: () => begun.promise, design: () => ({ text2schema, dialect: sqliteDialect }) };
}
