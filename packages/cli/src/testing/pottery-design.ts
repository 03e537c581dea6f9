import type { JsonValue } from '@askema/core';

/**
 * A small requirement, and what each role of SchemaAgent answers to it, in the form in which language models answer.
 */
export const POTTERY =
  'Potters have a potter number and a name. Kilns have a kiln code and a size. Potters fire in kilns; the pottery keeps the day.\n';

export type Replies = Readonly<Record<string, readonly JsonValue[]>>;

const REPORT = {
  thinking: '',
  outcome: 'report',
  reason: '',
  language: 'en',
  title: 'Firings',
  summary: 'A pottery keeps who fires in which kiln.',
  functions: ['Enter a firing.'],
  subjects: [
    { name: 'Potter', attributes: ['potter number', 'name'], description: 'Who fires.' },
    { name: 'Kiln', attributes: ['kiln code', 'size'], description: 'What is fired in.' },
  ],
  relationships: ['A potter fires in many kilns, a kiln is fired by many potters; each firing has a day.'],
  rules: [],
  clarifications: [],
  next: 'none',
} as const;

const MODEL = {
  entitySets: [
    { name: 'Potter', attributes: ['Potter Number', 'Name'] },
    { name: 'Kiln', attributes: ['Kiln Code', 'Size'] },
  ],
  relationshipSets: [
    {
      name: 'Fires',
      participants: [
        { entity: 'Potter', role: null, cardinality: 'many' },
        { entity: 'Kiln', role: null, cardinality: 'many' },
      ],
      attributes: ['Day'],
    },
  ],
} as const;

const attribute = (name: string, type: string) => ({ name, type, constraints: [] });
const PROPOSAL = [
  {
    set: 'Potter',
    attributes: [attribute('Potter Number', 'TEXT'), attribute('Name', 'TEXT')],
    dependencies: [{ left: ['Potter Number'], right: ['Name'] }],
    preferredKey: [],
  },
  {
    set: 'Kiln',
    attributes: [attribute('Kiln Code', 'TEXT'), attribute('Size', 'NUMERIC')],
    dependencies: [{ left: ['Kiln Code'], right: ['Size'] }],
    preferredKey: [],
  },
  {
    set: 'Fires',
    attributes: [attribute('Day', 'DATETIME')],
    dependencies: [{ left: ['Potter', 'Kiln'], right: ['Day'] }],
    preferredKey: [],
  },
];

const step = (operation: string, target: string, attributes: readonly string[], more: object = {}) => ({
  operation,
  purpose: '',
  target,
  attributes: [...attributes],
  values: [],
  where: [],
  expected: 'accepted',
  rows: [],
  ...more,
});
const OF_K1 = [{ attribute: 'kiln code', value: 'K1' }];
const TEST_SET = {
  needs: ['Potter', 'Kiln'],
  given: [],
  cases: [
    step('insert', 'Potter', ['potter number', 'name'], { values: ['P9', 'Ada'] }),
    step('insert', 'Potter', ['potter number', 'name'], { values: ['P9', 'Bo'], expected: 'entity integrity' }),
    step('insert', 'Fires', ['potter number', 'kiln code', 'day'], {
      values: ['P1', 'K9', '2024-05-01'],
      expected: 'referential integrity',
    }),
    step('update', 'Kiln', ['size'], { values: [3], where: OF_K1 }),
    step('query', 'Kiln', ['size'], { where: OF_K1, expected: 'rows', rows: [[3]] }),
    step('delete', 'Potter', [], { where: [{ attribute: 'potter number', value: 'P9' }] }),
  ],
};

/** All roles do their work at once: seven calls, 60 test steps. */
export const POTTERY_REPLIES: Replies = {
  report: [REPORT],
  'conceptual-model': [{ thinking: '', model: MODEL as unknown as JsonValue, doubts: [], next: null }],
  review: [{ thinking: '', answers: [], issues: [], verdict: 'approve' }],
  'logical-design': [
    { thinking: '', decision: 'propose', sets: PROPOSAL as unknown as JsonValue, complaints: [], next: null },
    { thinking: '', decision: 'keep', sets: [], complaints: [], next: null },
  ],
  'test-plan': [
    {
      thinking: '',
      base: [
        { target: 'Potter', attributes: ['potter number', 'name'], rows: [['P1', 'Cy']] },
        { target: 'Kiln', attributes: ['kiln code', 'size'], rows: [['K1', 2]] },
      ],
      sets: Array.from({ length: 10 }, (_, at) => ({ title: `Set ${at + 1}`, ...TEST_SET })) as unknown as JsonValue,
    },
  ],
  'test-report': [{ thinking: '', errors: [], text: 'All pass.', end: 'terminal', next: null }],
  'one-shot': [
    {
      thinking: '',
      relations: [
        {
          name: 'Kiln',
          attributes: [
            { name: 'Kiln Code', type: 'TEXT' },
            { name: 'Size', type: 'NUMERIC' },
          ],
          primaryKey: ['Kiln Code'],
          foreignKeys: [],
        },
      ],
    },
  ],
};

/** The reply of the product manager, with other words. */
export function potteryReport(more: Partial<Record<keyof typeof REPORT, JsonValue>>): Replies {
  return { ...POTTERY_REPLIES, report: [{ ...REPORT, ...more } as unknown as JsonValue] };
}

/**
 * A configuration whose model answers each role from its list, the last reply holding from then on. `hang`: at this
 * task it waits until it is stopped, and says so on stderr. A task without replies is an error of the model.
 */
export function potteryConfig(replies: Replies, { hang = '' }: { readonly hang?: string } = {}): string {
  return `
    import { scriptedModel } from '@askema/testkit';
    const replies = ${JSON.stringify(replies)};
    const asked = {};
    const answer = (request) => {
      const task = (request.output?.name ?? '').replace('text2schema_', '');
      if (task === ${JSON.stringify(hang)}) {
        console.error('the model hangs');
        const timer = setInterval(() => {}, 1000);
        return new Promise((_, reject) => request.context.signal.addEventListener('abort', () => {
          clearInterval(timer);
          reject(request.context.signal.reason);
        }));
      }
      const turn = asked[task] = (asked[task] ?? 0) + 1;
      const all = replies[task] ?? [];
      const json = all[Math.min(turn, all.length) - 1];
      return json === undefined ? undefined : { json };
    };
    export default { models: { potter: () => scriptedModel(answer) }, defaults: { model: 'potter' } };
  `;
}
