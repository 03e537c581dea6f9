import type { Knowledge } from '../../model/knowledge.ts';
import type { MetricDefinition } from '../../model/metric-definition.ts';
import { ansi, type Metric } from '../../model/semantic-model.ts';

const standing = { state: 'accepted', source: 'file', place: { file: 'models/fleet.ossie.yaml', line: 1 } } as const;
const aggregate = (more: object = {}): MetricDefinition => ({
  kind: 'aggregate',
  dataset: 'trips',
  expressions: ansi('SUM(trips.fare)'),
  ...more,
});
const metric = (name: string, definition: MetricDefinition, more: Partial<Metric> = {}): Metric => ({
  name,
  definition,
  extensions: [],
  standing,
  ...more,
});

/** Knowledge in which each part of the model stands once, under a name that says which: for what formats lose. */
export const everyPart: Knowledge = {
  schemaVersion: 1,
  settings: { matching: 'exact' },
  models: [
    {
      name: 'fleet',
      description: 'Trips of a fleet.',
      ai: { instructions: 'Round money.', synonyms: ['cabs'], examples: [] },
      datasets: [
        {
          name: 'trips',
          source: 'db.public.trips',
          primaryKey: ['id'],
          uniqueKeys: [['car_id', 'started_at']],
          description: 'One row for each trip.',
          ai: { instructions: 'Prefer it.', synonyms: ['rides'], examples: ['trips of a day'] },
          fields: [
            { name: 'id', expressions: ansi('id'), dimension: {}, values: [], extensions: [] },
            { name: 'car_id', expressions: ansi('car_id'), dimension: {}, values: [], extensions: [] },
            {
              name: 'started_at',
              expressions: ansi('started_at'),
              dimension: { isTime: true },
              type: 'DateTime',
              timeGrain: 'day',
              values: [],
              extensions: [],
            },
            {
              name: 'state',
              expressions: ansi('state'),
              dimension: {},
              label: 'State',
              type: 'String',
              ai: { synonyms: ['status'], examples: [] },
              values: [{ value: 'done', meaning: 'The guest has paid.', synonyms: [] }],
              isHidden: true,
              format: '@',
              extensions: [],
            },
            { name: 'fare', expressions: ansi('fare'), type: 'Decimal', unit: 'EUR', values: [], extensions: [] },
          ],
          grain: 'a trip',
          defaultTime: 'started_at',
          isCertified: true,
          extensions: [{ vendor: 'OTHER', data: '{"a": 1}' }],
          standing,
        },
        {
          name: 'cars',
          source: 'db.public.cars',
          primaryKey: ['id'],
          uniqueKeys: [],
          fields: [{ name: 'id', expressions: ansi('id'), dimension: {}, values: [], extensions: [] }],
          extensions: [],
          standing,
        },
        {
          name: 'drivers',
          source: 'SELECT * FROM db.public.people',
          primaryKey: ['id'],
          uniqueKeys: [],
          fields: [{ name: 'id', expressions: ansi('id'), dimension: {}, values: [], extensions: [] }],
          extensions: [],
          standing,
        },
        {
          name: 'stops',
          source: 'db.public.stops',
          primaryKey: ['area', 'no'],
          uniqueKeys: [],
          fields: [{ name: 'no', expressions: ansi('no'), dimension: {}, values: [], extensions: [] }],
          defaultFilter: 'stops.no > 0',
          extensions: [],
          standing,
        },
      ],
      relationships: [
        {
          name: 'trip_car',
          from: 'trips',
          to: 'cars',
          fromColumns: ['car_id'],
          toColumns: ['id'],
          extensions: [],
          standing,
        },
        {
          name: 'trip_stop',
          from: 'trips',
          to: 'stops',
          fromColumns: ['area', 'stop_no'],
          toColumns: ['area', 'no'],
          extensions: [],
          standing,
        },
      ],
      metrics: [
        metric('income', aggregate(), { label: 'Income', unit: 'EUR', ai: { synonyms: ['money'], examples: [] } }),
        metric('filtered', aggregate({ filter: "trips.state = 'done'" })),
        metric('timed', aggregate({ time: 'trips.started_at' })),
        metric('balance', aggregate({ nonAdditive: { field: 'trips.started_at', choice: 'last', within: [] } })),
        metric('zero', aggregate({ empty: 'zero' })),
        metric('many_stops', { kind: 'aggregate', dataset: 'stops', expressions: ansi('COUNT(*)') }),
        metric('two_facts', {
          kind: 'aggregate',
          expressions: ansi('SUM(trips.fare) / COUNT(cars.id)'),
        }),
        metric('share', { kind: 'ratio', numerator: { metric: 'filtered' }, denominator: { metric: 'income' } }),
        metric('rest', {
          kind: 'derived',
          expression: 'income - filtered',
          inputs: [{ metric: 'income' }, { metric: 'filtered' }],
        }),
        metric('growth', {
          kind: 'derived',
          expression: 'income - before',
          inputs: [{ metric: 'income' }, { metric: 'income', alias: 'before', offset: { count: 1, unit: 'month' } }],
        }),
        metric('running', { kind: 'cumulative', input: { metric: 'income' } }),
        metric('hidden', aggregate(), { isHidden: true }),
      ],
      filters: [{ name: 'done', dataset: 'trips', condition: "trips.state = 'done'", synonyms: [], standing }],
      timeSpine: { source: 'db.public.days', column: 'day', grain: 'day' },
      extensions: [],
      standing,
    },
  ],
  verifiedQueries: [
    {
      id: 'logical',
      question: 'What did trips bring?',
      sql: 'SELECT SUM(fare) FROM trips',
      names: 'logical',
      parameters: [],
      tags: [],
      standing,
    },
    {
      id: 'holes',
      question: 'Trips of {car}',
      sql: 'SELECT COUNT(*) FROM trips WHERE car_id = :car',
      names: 'logical',
      parameters: [{ name: 'car', type: 'number' }],
      tags: [],
      standing,
    },
  ],
  texts: [
    { id: 'money', kind: 'rule', title: 'Money', text: 'Money is net.', appliesTo: [], priority: 0, standing },
    { id: 'gap', kind: 'caveat', title: 'Gap', text: 'May lacks.', appliesTo: ['trips'], priority: 1, standing },
  ],
  problems: [],
};
