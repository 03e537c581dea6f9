import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOssie } from './read-ossie.ts';
import { randomModel, withoutPlaces } from './test-support/random-model.ts';
import { writeOssie } from './write-ossie.ts';

describe('writeOssie', () => {
  it.each(['flat', '0.1.1'] as const)('%s: what is written is read as it was', (version) => {
    fc.assert(
      fc.property(randomModel, (model) => {
        const [file] = writeOssie(model, { version }).files;
        const { models, problems } = readOssie(file?.text ?? '', 'm.ossie.yaml');
        expect(withoutPlaces(models)).toEqual(withoutPlaces([model]));
        expect(problems).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
