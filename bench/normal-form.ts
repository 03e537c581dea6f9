/**
 * How long normal forms take, by the number of attributes. Usage: npm run -s normal-form --prefix bench [-- --quick]
 */
import { candidateKeys, normalFormOf, synthesize3NF, verifyCertificate } from '@askema/normal-form';
import type { Bench, Measurement } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { quantile } from './harness/measure-work.ts';
import { remarkOnGrowth, remarkOnPeer } from './harness/remarks.ts';
import { exponentOf, showMs } from './harness/render.ts';
import { askPeer, peerVersion } from './normal-form/peer.ts';
import { RELATION_KINDS, type RelationKind } from './normal-form/relations.ts';

const SIZES = { values: [10, 30, 100, 300, 1_000, 2_000], quick: [10, 100] };
/** What the peer may take for one relation; where it took longer, larger ones are not tried. */
const PEER_SECONDS = { full: 10, quick: 1 };
/** Runs of one function on one relation: at least so many, and for at least so long; the median counts. */
const RUNS = { least: 3, most: 200, milliseconds: 300 };

function median<Made>(run: () => Made): { readonly milliseconds: number; readonly made: Made } {
  const times: number[] = [];
  let made = run();
  for (let total = 0; times.length < RUNS.least || (total < RUNS.milliseconds && times.length < RUNS.most); ) {
    const before = performance.now();
    made = run();
    const took = performance.now() - before;
    times.push(took);
    total += took;
  }
  times.sort((a, b) => a - b);
  return { milliseconds: quantile(times, 0.5), made };
}

const COLUMNS = [
  'attributes',
  'dependencies',
  'synthesis',
  'check of the proof',
  'both grew as',
  'keys',
  'found',
  'normal form',
  'parts',
  'proof holds',
  'peer',
  'its parts',
  'peer : synthesis',
];

function measureKind({ id, name, make }: RelationKind): Measurement {
  return {
    kind: 'measurement',
    id,
    title: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    async measure({ quick }) {
      const seconds = quick ? PEER_SECONDS.quick : PEER_SECONDS.full;
      let before: { readonly size: number; readonly milliseconds: number } | undefined;
      let peerEnded: string | undefined;
      const remarks: string[] = [];
      const rows = (quick ? SIZES.quick : SIZES.values).map((size) => {
        const scheme = make(size);
        const synthesis = median(() => synthesize3NF(scheme));
        const check = median(() => verifyCertificate(synthesis.made));
        const keys = median(() => candidateKeys(scheme));
        const form = median(() => normalFormOf(scheme));
        const both = synthesis.milliseconds + check.milliseconds;
        const at = `${name}, synthesis and proof, ${size.toLocaleString('en')} attributes`;
        let growth = '';
        if (before !== undefined) {
          const exponent = exponentOf(before.size, before.milliseconds, size, both);
          growth = `n^${exponent.toFixed(2)}`;
          const remark = remarkOnGrowth(at, exponent, before.size, size);
          if (remark !== undefined) remarks.push(remark);
        }
        before = { size, milliseconds: both };
        const peer = peerEnded === undefined ? askPeer(scheme, seconds) : { none: '' };
        if ('none' in peer) peerEnded ??= peer.none;
        else {
          const remark = remarkOnPeer(at, both, peer.milliseconds, 'functional-dependencies');
          if (remark !== undefined) remarks.push(remark);
        }
        return [
          size,
          scheme.dependencies.length,
          showMs(synthesis.milliseconds),
          showMs(check.milliseconds),
          growth,
          showMs(keys.milliseconds),
          `${keys.made.keys.length}${keys.made.complete ? '' : ', cut'}`,
          showMs(form.milliseconds),
          synthesis.made.relations.length,
          check.made.valid ? 'yes' : 'NO',
          'none' in peer ? peer.none : showMs(peer.milliseconds),
          'none' in peer ? '' : peer.parts,
          'none' in peer ? '' : peer.milliseconds / synthesis.milliseconds,
        ];
      });
      return { columns: COLUMNS, rows, remarks };
    },
  };
}

export const bench: Bench = {
  id: 'normal-form',
  title: 'Normal forms',
  about:
    'Decomposition into third normal form with its proof, the search for keys, and the normal form, for five kinds of made relations. npm has no package that does this. The peer is ' +
    '[functional-dependencies](https://pypi.org/project/functional-dependencies/) 1.2.0 of PyPI: the same synthesis, without a proof and without foreign keys. Medians.',
  peers: [],
  versions: () => ({ 'functional-dependencies (Python)': peerVersion() ?? 'absent' }),
  parts: RELATION_KINDS.map(measureKind),
  notes: [
    'A closure takes time linear in the size of the dependencies. A minimal cover computes the closure of each left side once more without its dependency, and the check of the proof does the same for each part: n closures of n dependencies. So synthesis and proof grow with the square of the dependencies (n^2, not n log n) wherever dependencies grow with attributes. The time of the peer grew about with the cube.',
    'The peer makes more parts where attributes determine each other; askema puts what equivalent keys determine into one relation. *Cut* means that there are more keys than the limit of the search.',
  ],
};

await main(import.meta.url, bench);
