import { expect, test } from 'vitest';
import { shareAxis } from './share-axis.ts';

test.each<[number[], string[], boolean]>([
  [[10, 39], ['orders', 'revenue'], true],
  [[10, 4_000], ['orders', 'revenue'], false],
  [[25, 4_000], ['smallest', 'largest'], true],
  [[25, 4_000], ['min_price', 'avg(price)'], true],
  [[25, 4_000], ['min_price', 'max_weight'], false],
  [[25, 4_000], ['revenue_2023', 'revenue_2024'], true],
])('%j %j: %s', (reach, names, isShared) => expect(shareAxis(reach, names)).toBe(isShared));
