import * as z from 'zod';
import { element } from './element.ts';

/** What of the replies of the tools is shown. Each has some of it. */
const REPLY = z
  .object({
    sql: z.string(),
    explanation: z.string(),
    assumptions: z.array(z.object({ text: z.string() })),
    result: z.object({ columns: z.array(z.object({ name: z.string() })), rows: z.array(z.array(z.unknown())) }),
    truncated: z.string(),
    reason: z.string(),
    ask: z.string(),
    choices: z.array(z.object({ meaning: z.string() })),
    error: z.object({ message: z.string() }),
  })
  .partial();

/** A reply of a tool: its table, how the question was read, what went wrong; `answer` gets the choice of the person. */
export function showReply(
  { structured, text }: { readonly structured: unknown; readonly text: string },
  answer: (choice: string) => void,
): readonly Node[] {
  const { data: reply = {} } = REPLY.safeParse(structured);
  const { result, truncated, error, reason, ask, choices = [], explanation, assumptions = [], sql } = reply;
  return [
    ...[error?.message, reason].flatMap((problem) => (problem === undefined ? [] : [element('p', 'problem', problem)])),
    // What has no answer often has its reason as the explanation.
    ...[ask, explanation, ...assumptions.map((assumed) => assumed.text)].flatMap((words) =>
      words === undefined || words === '' || words === reason ? [] : [element('p', '', words)],
    ),
    ...choices.map(({ meaning }) => {
      const button = element('button', 'choice', meaning);
      button.addEventListener('click', () => answer(meaning));
      return button;
    }),
    ...(result === undefined ? [] : [table(result)]),
    ...(truncated === undefined ? [] : [element('p', 'note', truncated)]),
    sql === undefined ? folded('Reply', text) : folded('SQL', sql),
  ];
}

function table({ columns, rows }: NonNullable<z.infer<typeof REPLY>['result']>): HTMLElement {
  const head = columns.map(({ name }) => {
    const cell = element('th', '', name);
    cell.scope = 'col';
    return cell;
  });
  const body = rows.map((row) =>
    element('tr', '', ...row.map((value) => element('td', typeof value, cellText(value)))),
  );
  const count = rows.length === 1 ? '1 row' : `${rows.length} rows`;
  const made = element(
    'table',
    '',
    element('caption', '', count),
    element('thead', '', element('tr', '', ...head)),
    element('tbody', '', ...body),
  );
  const scroll = element('div', 'scroll', made);
  scroll.tabIndex = 0;
  return scroll;
}

/** Values that JSON cannot hold come as `{ "$bigint": "9007199254740993" }`. */
function cellText(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'object') return String(value);
  const [entry, ...others] = Object.entries(value);
  const isEncoded = others.length === 0 && (entry?.[0] === '$bigint' || entry?.[0] === '$number');
  return isEncoded ? String(entry?.[1]) : JSON.stringify(value);
}

function folded(title: string, text: string): HTMLElement {
  return element('details', '', element('summary', '', title), element('pre', '', text));
}
