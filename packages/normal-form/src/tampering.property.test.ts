import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../scripts/testing/property-runs.ts';
import type { DecomposedRelation, Decomposition } from './decomposition.ts';
import type { RelationScheme } from './functional-dependency.ts';
import { synthesize3NF } from './synthesize-3nf.ts';
import { faultsOf } from './test-support/oracle.ts';
import { LARGER, randomScheme, SMALL } from './test-support/random-scheme.ts';
import { type CertificateCheck, verifyCertificate } from './verify-certificate.ts';

/**
 * One change to a decomposition; undefined where there is nothing to change. Each one makes it wrong, whatever the
 * relation.
 */
type Tampering = (decomposition: Decomposition, at: number) => Decomposition | undefined;

const withPart = (
  decomposition: Decomposition,
  at: number,
  change: (part: DecomposedRelation) => Partial<DecomposedRelation> | undefined,
): Decomposition | undefined => {
  const index = at % decomposition.relations.length;
  const part = decomposition.relations[index];
  const changed = part === undefined ? undefined : change(part);
  if (part === undefined || changed === undefined) return undefined;
  return { ...decomposition, relations: decomposition.relations.with(index, { ...part, ...changed }) };
};

const withCertificate = (
  decomposition: Decomposition,
  change: Partial<Decomposition['certificate']>,
): Decomposition => ({ ...decomposition, certificate: { ...decomposition.certificate, ...change } });

const TAMPERINGS: Readonly<Record<string, { readonly check: CertificateCheck; readonly tamper: Tampering }>> = {
  'a part goes': {
    check: 'parts',
    tamper: (decomposition, at) => {
      const gone = at % decomposition.relations.length;
      const relations = decomposition.relations.filter((_, index) => index !== gone);
      const rest = new Set(relations.flatMap(({ attributes }) => attributes));
      return decomposition.original.attributes.every((each) => rest.has(each))
        ? undefined
        : { ...decomposition, relations };
    },
  },
  'everything in one part': {
    check: 'third-normal-form',
    tamper: (decomposition) => {
      const [first] = decomposition.relations;
      if (decomposition.relations.length < 2 || first === undefined) return undefined;
      const all = { ...first, attributes: decomposition.original.attributes };
      return {
        ...decomposition,
        relations: [all],
        foreignKeys: [],
        certificate: { ...decomposition.certificate, keys: [{ relation: all.name, key: all.key }] },
      };
    },
  },
  'a part within another': {
    check: 'parts',
    tamper: (decomposition) => {
      const [first] = decomposition.relations;
      return first && { ...decomposition, relations: [...decomposition.relations, { ...first, name: 'copy' }] };
    },
  },
  'a key with more than it needs': {
    check: 'keys',
    tamper: (decomposition, at) =>
      withPart(decomposition, at, ({ key, attributes }) => {
        const spare = attributes.find((attribute) => !key.includes(attribute));
        return spare === undefined ? undefined : { key: [...key, spare] };
      }),
  },
  'a key with less than it needs': {
    check: 'keys',
    tamper: (decomposition, at) =>
      withPart(decomposition, at, ({ key }) => (key.length > 0 ? { key: key.slice(1) } : undefined)),
  },
  'an alternate key that is none': {
    check: 'keys',
    tamper: (decomposition, at) =>
      withPart(decomposition, at, ({ key, attributes }) =>
        key.length < attributes.length ? { alternateKeys: [attributes] } : undefined,
      ),
  },
  'a key that only the certificate has': {
    check: 'keys',
    tamper: (decomposition) => {
      const [first, ...others] = decomposition.certificate.keys;
      return (
        first && withCertificate(decomposition, { keys: [{ ...first, key: [...first.key, 'A', 'B'] }, ...others] })
      );
    },
  },
  'a chase without its last step': {
    check: 'lossless',
    tamper: (decomposition) => {
      const { lossless } = decomposition.certificate;
      if (lossless.steps.length === 0 || !bringsSomethingNew(decomposition)) return undefined;
      return withCertificate(decomposition, { lossless: { ...lossless, steps: lossless.steps.slice(0, -1) } });
    },
  },
  'a chase of a row that is not there': {
    check: 'lossless',
    tamper: (decomposition) =>
      withCertificate(decomposition, { lossless: { ...decomposition.certificate.lossless, row: 'nobody' } }),
  },
  'nothing preserved': {
    check: 'preserved',
    tamper: (decomposition) =>
      decomposition.certificate.preserved.length === 0 ? undefined : withCertificate(decomposition, { preserved: [] }),
  },
  'a dependency that nobody stated': {
    check: 'preserved',
    tamper: (decomposition, at) =>
      withPart(decomposition, at, ({ key, attributes, dependencies }) => {
        const [attribute] = key;
        if (attribute === undefined || key.length < 2) return undefined;
        const right = key.filter((each) => each !== attribute);
        return attributes.length === 0 ? undefined : { dependencies: [...dependencies, { left: [attribute], right }] };
      }),
  },
  'a foreign key to its own part': {
    check: 'foreign-keys',
    tamper: (decomposition) => {
      const [first] = decomposition.relations;
      return first && { ...decomposition, foreignKeys: [{ from: first.name, to: first.name, attributes: first.key }] };
    },
  },
  'a foreign key turned around': {
    check: 'foreign-keys',
    tamper: (decomposition) => {
      const [first] = decomposition.foreignKeys;
      return first && { ...decomposition, foreignKeys: [{ ...first, from: first.to, to: first.from }] };
    },
  },
};

/** The last step of a chase may bring only what another one brings too; then it can go. */
function bringsSomethingNew({ relations, certificate: { lossless } }: Decomposition): boolean {
  const known = new Set(relations.find(({ name }) => name === lossless.row)?.attributes);
  for (const { dependency } of lossless.steps.slice(0, -1)) for (const each of dependency.right) known.add(each);
  return lossless.steps.at(-1)?.dependency.right.some((attribute) => !known.has(attribute)) === true;
}

describe('a certificate that was tampered with', { timeout: 60_000 }, () => {
  it.each(Object.entries(TAMPERINGS))('%s', (_, { check, tamper }) => {
    let tampered = 0;
    fc.assert(
      fc.property(randomScheme(LARGER), fc.nat(), (scheme, at) => {
        const changed = tamper(synthesize3NF(scheme), at);
        if (changed === undefined) return;
        tampered += 1;
        const verdict = verifyCertificate(changed);
        expect(verdict.valid).toBe(false);
        expect(verdict.problems.map((problem) => problem.check)).toContain(check);
      }),
      { numRuns: 200, seed: 5 },
    );
    expect(tampered).toBeGreaterThan(20);
  });

  // Whatever is changed: what passes is right by the definitions.
  it('passes only when the decomposition is right all the same', () => {
    let passed = 0;
    let rejected = 0;
    fc.assert(
      fc.property(randomScheme(SMALL), fc.array(fc.nat(), { minLength: 4, maxLength: 4 }), (scheme, picks) => {
        const changed = moveSomething(scheme, synthesize3NF(scheme), picks);
        if (verifyCertificate(changed).valid) {
          passed += 1;
          expect(faultsOf(scheme, changed.relations)).toEqual([]);
        } else {
          rejected += 1;
        }
      }),
      { numRuns: propertyRuns(600), seed: 5 },
    );
    expect(rejected).toBeGreaterThan(passed);
    expect(passed).toBeGreaterThan(20);
  });
});

/**
 * Adds an attribute to a part or takes one away, or gives it another key; its dependencies and the certificate go along
 * as well as they can.
 */
function moveSomething(
  { attributes }: RelationScheme,
  decomposition: Decomposition,
  [kind = 0, at = 0, which = 0, more = 0]: readonly number[],
): Decomposition {
  const index = at % decomposition.relations.length;
  const part = decomposition.relations[index] as DecomposedRelation;
  const attribute = attributes[which % attributes.length] ?? '';
  const has = part.attributes.includes(attribute);
  const changed =
    kind % 2 === 0
      ? { attributes: has ? part.attributes.filter((each) => each !== attribute) : [...part.attributes, attribute] }
      : {
          key: [...new Set([...part.key.slice(more % 2), attribute])].filter((each) => part.attributes.includes(each)),
        };
  const next = { ...part, ...changed };
  const stays = ({ left, right }: { left: readonly string[]; right: readonly string[] }): boolean =>
    [...left, ...right].every((each) => next.attributes.includes(each));
  const relations = decomposition.relations.with(index, { ...next, dependencies: next.dependencies.filter(stays) });
  return {
    ...decomposition,
    relations,
    foreignKeys: [],
    certificate: {
      ...decomposition.certificate,
      keys: relations.map(({ name, key }) => ({ relation: name, key })),
      preserved: relations.flatMap(({ name, dependencies }) =>
        dependencies.map((dependency) => ({ dependency, relation: name })),
      ),
    },
  };
}
