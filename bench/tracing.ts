/** What tracing costs. Usage: npm run -s tracing --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';

export const bench: Bench = {
  id: 'tracing',
  title: 'What tracing costs',
  about:
    'Runs, calls and questions with `@askema/otel` against the same without it. Both ways take turns in one process; the figures are medians of the turns, by processor time.',
  peers: ['@opentelemetry/api', '@opentelemetry/sdk-trace'],
  parts: [
    {
      kind: 'measurement',
      id: 'spans',
      title: 'A span without an SDK',
      about: 'What a run of ten steps, a model call and a statement take more with tracing, for each span.',
      measure: async (options) => (await import('./tracing/measure-spans.ts')).measureSpans(options),
    },
    {
      kind: 'measurement',
      id: 'questions',
      title: 'A question',
      about:
        'Questions of the flow `plain` to a SQLite file, with a model that answers at once, which no real one does: of the time that this process alone works, and of a question whose model takes 200 ms. With sampling off, an SDK is there and keeps nothing; with sampling on, it drops each span at its end.',
      measure: async (options) => (await import('./tracing/measure-questions.ts')).measureQuestions(options),
    },
  ],
  notes: [
    'A question whose model answers at once makes about eight spans. Its last column says what that is of a question as users know it: a call of a model takes 200 ms or more.',
  ],
};

await main(import.meta.url, bench);
