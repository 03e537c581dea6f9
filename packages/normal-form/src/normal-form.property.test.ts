import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../scripts/testing/property-runs.ts';
import { attributeClosure } from './attribute-closure.ts';
import { candidateKeys, primeAttributes } from './candidate-keys.ts';
import { minimalCover } from './minimal-cover.ts';
import { normalFormOf } from './normal-form-of.ts';
import { synthesize3NF } from './synthesize-3nf.ts';
import { closureOf, faultsOf, formOf, implies, keysOf } from './test-support/oracle.ts';
import { LARGER, randomScheme, SMALL } from './test-support/random-scheme.ts';
import { verifyCertificate } from './verify-certificate.ts';

const ALL_KEYS = { maxKeys: 10_000, maxSteps: 1_000_000 };

// Many relations: more than the time of a plain test where the machine is busy.
describe('closures, covers, keys and forms of random relations', { timeout: 60_000 }, () => {
  it('closures are those of the definition', () => {
    fc.assert(
      fc.property(randomScheme(LARGER), fc.infiniteStream(fc.boolean()), ({ attributes, dependencies }, coin) => {
        const seed = attributes.filter(() => coin.next().value);
        expect([...attributeClosure(seed, dependencies)].sort()).toEqual([...closureOf(seed, dependencies)].sort());
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('a minimal cover is equivalent and has nothing to spare', () => {
    fc.assert(
      fc.property(randomScheme(LARGER), ({ attributes, dependencies }) => {
        const cover = minimalCover(dependencies, attributes);
        expect(dependencies.every((each) => implies(cover, each))).toBe(true);
        expect(cover.every((each) => implies(dependencies, each))).toBe(true);
        for (const { left, right } of cover) {
          for (const attribute of left)
            for (const one of right)
              expect(implies(cover, { left: left.filter((each) => each !== attribute), right: [one] })).toBe(false);
          for (const attribute of right) {
            const others = cover.map((each) =>
              each.left === left ? { left, right: right.filter((one) => one !== attribute) } : each,
            );
            expect(implies(others, { left, right: [attribute] })).toBe(false);
          }
        }
        expect(new Set(cover.map(({ left }) => left.join())).size).toBe(cover.length);
        expect(minimalCover(dependencies.toReversed(), attributes)).toEqual(cover);
      }),
      { numRuns: propertyRuns(250) },
    );
  });

  it('keys, prime attributes and forms are those of the definitions', () => {
    fc.assert(
      fc.property(randomScheme(SMALL), (scheme) => {
        const { attributes, dependencies } = scheme;
        const keys = keysOf(attributes, dependencies);
        const found = candidateKeys(scheme, ALL_KEYS);
        expect(found.complete).toBe(true);
        expect(found.keys.map((key) => key.join()).sort()).toEqual(keys.map((key) => key.join()).sort());
        expect(primeAttributes(scheme).attributes).toEqual(attributes.filter((each) => keys.flat().includes(each)));
        const verdict = normalFormOf(scheme);
        expect(verdict.form).toBe(formOf(attributes, dependencies));
        expect(verdict.violations.length === 0).toBe(verdict.form === 'BCNF');
        for (const { dependency } of verdict.violations) expect(implies(dependencies, dependency)).toBe(true);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('keys of larger relations are all found', () => {
    fc.assert(
      fc.property(randomScheme({ ...LARGER, attributes: { min: 8, max: 9 } }), (scheme) => {
        const keys = keysOf(scheme.attributes, scheme.dependencies);
        expect(
          candidateKeys(scheme, ALL_KEYS)
            .keys.map((key) => key.join())
            .sort(),
        ).toEqual(keys.map((key) => key.join()).sort());
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

describe('synthesis of random relations', { timeout: 60_000 }, () => {
  it.each([
    { name: '4 to 7 attributes', sizes: SMALL, runs: 500 },
    { name: '8 to 12 attributes', sizes: LARGER, runs: 50 },
  ])('is right by the definitions and certified: $name', ({ sizes, runs }) => {
    fc.assert(
      fc.property(randomScheme(sizes), (scheme) => {
        const decomposition = synthesize3NF(scheme);
        expect(verifyCertificate(decomposition)).toEqual({ valid: true, problems: [] });
        expect(faultsOf(scheme, decomposition.relations)).toEqual([]);
      }),
      { numRuns: propertyRuns(runs) },
    );
  });

  it('is certified for larger relations', () => {
    fc.assert(
      fc.property(randomScheme({ attributes: { min: 8, max: 26 }, dependencies: { min: 5, max: 30 } }), (scheme) => {
        expect(verifyCertificate(synthesize3NF(scheme))).toEqual({ valid: true, problems: [] });
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('never splits a relation in BCNF', () => {
    let whole = 0;
    fc.assert(
      fc.property(randomScheme(SMALL), (scheme) => {
        if (normalFormOf(scheme).form !== 'BCNF') return;
        whole += 1;
        expect(synthesize3NF(scheme).relations.map(({ attributes }) => attributes)).toEqual([scheme.attributes]);
      }),
      { numRuns: 1_000, seed: 5 },
    );
    expect(whole).toBeGreaterThan(20);
  });

  it('does not depend on the order of the dependencies, and its certificate survives JSON', () => {
    fc.assert(
      fc.property(randomScheme(LARGER), (scheme) => {
        const { original: _, ...made } = synthesize3NF(scheme);
        const { original, ...again } = synthesize3NF({ ...scheme, dependencies: scheme.dependencies.toReversed() });
        expect(again).toEqual(made);
        expect(verifyCertificate(JSON.parse(JSON.stringify({ original, ...again })))).toMatchObject({ valid: true });
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it('takes any candidate key of the relation as the key of the first part when that part holds it', () => {
    fc.assert(
      fc.property(randomScheme(SMALL), fc.nat(), (scheme, pick) => {
        const { keys } = candidateKeys(scheme, ALL_KEYS);
        const preferredKey = keys[pick % keys.length] ?? [];
        const decomposition = synthesize3NF(scheme, { preferredKey });
        const [first] = decomposition.relations;
        expect(first?.name).toBe('R');
        if (preferredKey.every((attribute) => first?.attributes.includes(attribute)))
          expect(first?.key).toEqual(preferredKey);
        expect(verifyCertificate(decomposition)).toEqual({ valid: true, problems: [] });
        expect(faultsOf(scheme, decomposition.relations)).toEqual([]);
      }),
      { numRuns: propertyRuns(250) },
    );
  });
});
