import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const MODEL = `
version: 0.2.0.dev0
semantic_model:
  - name: store
    datasets:
      - name: products
        source: products
        primary_key: [product_id]
        fields:
          - { name: name, expression: { dialects: [{ dialect: ANSI_SQL, expression: name }] }, dimension: {} }
          - { name: price, expression: { dialects: [{ dialect: ANSI_SQL, expression: price }] } }
          - { name: stock, expression: { dialects: [{ dialect: ANSI_SQL, expression: stock }] } }
          - { name: discontinued, expression: { dialects: [{ dialect: ANSI_SQL, expression: discontinued }] } }
    metrics:
      - name: stock
        expression:
          dialects: [{ dialect: ANSI_SQL, expression: SUM(CASE WHEN NOT products.discontinued THEN products.stock END) }]
`;

let project: TemporaryProject;

beforeAll(() => {
  project = temporaryProject();
  project.write('terms/models/store.ossie.yaml', MODEL);
});
afterAll(() => project.remove());

const store = new URL('../../../../../examples/store.sqlite', import.meta.url).pathname;
const ask = (question: string, ...flags: string[]) =>
  runInProcess(['ask', store, question, '--model', 'lexical', '--format', 'csv', ...flags], { cwd: project.folder });
const KNOWN = ['--knowledge', 'terms'];

describe('the built-in reader beside knowledge', { timeout: 60_000 }, () => {
  it('does not answer with its own meaning what knowledge defines and declines', async () => {
    const question = 'What is the total stock for each supplier?';
    expect(await ask(question)).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await ask(question, ...KNOWN);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/knowledge defines "stock", and does not answer this question\. .*supplier/);
  });

  it('answers what knowledge says nothing about, as before', async () => {
    const question = 'How many customers live in Oslo?';
    const [without, beside] = [await ask(question), await ask(question, ...KNOWN)];
    expect([beside.code, beside.stdout]).toEqual([0, without.stdout]);
    expect((await ask('stock', ...KNOWN)).stderr).toContain('based on: metric stock (accepted)');
  });
});
