import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { SemanticModel } from '../../model/semantic-model.ts';
import { type OssieFile, readOssie } from './read-ossie.ts';
import { withoutPlaces } from './test-support/random-model.ts';
import { writeOssie } from './write-ossie.ts';

const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../../shared/data', import.meta.url));
const OSSIE = path.join(DATA, 'knowledge', 'ossie');
const hasData = existsSync(OSSIE);

const textOf = (name: string): string => readFileSync(path.join(OSSIE, name), 'utf8');
const read = (name: string): OssieFile => readOssie(textOf(name), name);
const codes = ({ problems }: OssieFile): readonly string[] => [...new Set(problems.map(({ code }) => code))].sort();

/** Core models of the data, wherever they come from. */
const FILES = hasData
  ? globSync(['examples/*.yaml', 'pairs/**/*.yaml', '../jaffle-shop/ossie-by-official-converter.yaml'], { cwd: OSSIE })
      .filter((name) => /^(semantic_model:|datasets:)/m.test(textOf(name)) && /^version: .?0\./m.test(textOf(name)))
      .sort()
  : [];

const RELEASES = { flat: 'ossie-schema-0.2.0.dev0-flat.reconstructed.json', '0.1.1': 'osi-schema-0.1.1.json' } as const;

describe.skipIf(!hasData)('files of Ossie', () => {
  it('reads the three shapes of TPC-DS as one model', () => {
    const [old, wrapped, flat] = ['0.1.1', '0.2.0.dev0', '0.2.0.dev0-flat.made-here'].map((name) =>
      read(`examples/tpcds-${name}.yaml`),
    );
    // Types of values came with 0.2.0, and the texts say OSI and Ossie.
    const compared = (file: OssieFile | undefined): unknown =>
      JSON.parse(
        JSON.stringify(withoutPlaces(file?.models), (key, each: unknown) =>
          key === 'type' || key === 'extensions' ? undefined : each,
        ),
      );
    expect(withoutPlaces(flat?.models)).toEqual(withoutPlaces(wrapped?.models));
    expect(compared(old)).toEqual(compared(wrapped));
    expect([old, wrapped, flat].flatMap((file) => file?.problems)).toEqual([]);
    expect(flat?.models[0]?.datasets.length).toBeGreaterThan(3);
  });

  it('reports what 0.1.1 does not allow, and reads it', () => {
    const newer = readOssie(textOf('examples/tpcds-0.2.0.dev0.yaml').replace('"0.2.0.dev0"', '"0.1.1"'), 'a.yaml');
    expect(codes(newer)).toContain('newer-key');
    expect(newer.models[0]?.datasets[0]?.fields[0]?.type).toBe('Integer');
  });

  it('says that an ontology is none of its models', () => {
    expect(() => read('examples/flights-ontology-not-core.yaml')).toThrow(/yaml:\d+ is an ontology document/);
  });

  it('reads what WrenAI writes', () => {
    const file = read('in-the-wild/wren-minimal-0.2.0.yaml');
    expect(codes(file)).toEqual(['bare-expression', 'unreleased-version']);
    expect(file.models[0]?.datasets[0]?.fields.map(({ expressions: [one] }) => one?.expression)).toEqual([
      'order_id',
      'customer_id',
      'amount',
    ]);
  });

  it('finds defects that the official validator passes', () => {
    const { problems } = read('made-here/passes-official-validator.yaml');
    expect(problems.map(({ code, entry, place }) => [code, entry, place.line])).toEqual([
      ['extension-json', 'field:a.x', 16],
      ['join-columns', 'relationship:r', 20],
      ['dialect-twice', 'metric:m1', 23],
    ]);
  });

  it('keeps extensions that stand at the root', () => {
    const file = read('made-here/root-custom-extensions.yaml');
    expect(codes(file)).toEqual(['bare-expression', 'root-extensions']);
    expect(file.models[0]?.extensions).toEqual([{ vendor: 'WREN', data: '{}' }]);
  });

  describe.each(['flat', '0.1.1'] as const)('written as %s', (version) => {
    const validate = hasData
      ? new Ajv2020({ strict: false }).compile(JSON.parse(textOf(`schema/${RELEASES[version]}`)))
      : undefined;

    it.each(FILES)('%s is valid and is read as it was', (name) => {
      const before = read(name).models;
      for (const model of before) {
        const after = readOssie(textOfFirst(model, version), name);
        expect(withoutPlaces(after.models)).toEqual([withoutPlaces(model)]);
        validate?.(parse(textOfFirst(model, version)));
        expect(validate?.errors ?? []).toEqual([]);
      }
    });
  });

  it('finds the files', () => expect(FILES.length).toBeGreaterThan(10));
});

function textOfFirst(model: SemanticModel, version: 'flat' | '0.1.1'): string {
  return writeOssie(model, { version }).files[0]?.text ?? '';
}
