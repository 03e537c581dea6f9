/**
 * How long normal forms take, by the number of attributes.
 * Usage: npm run normal-form --prefix bench [-- --sizes 10,30,100,300,1000,2000] [--peer-seconds 20]
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { candidateKeys, normalFormOf, synthesize3NF, verifyCertificate } from '@askema/core';
import { askPeer } from './normal-form/peer.ts';
import { RELATION_KINDS } from './normal-form/relations.ts';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10,30,100,300,1000,2000' },
    /** For each relation; 0 leaves the peer out. */
    'peer-seconds': { type: 'string', default: '20' },
  },
});
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
  return { milliseconds: times[Math.floor(times.length / 2)] ?? 0, made };
}

const shown = (milliseconds: number): string =>
  milliseconds < 10 ? milliseconds.toFixed(2) : Math.round(milliseconds).toLocaleString('en');

console.log(
  `Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}; milliseconds, median. n^x: how synthesis and proof grew.`,
);
for (const { name, make } of RELATION_KINDS) {
  console.log(`\n## ${name}\n`);
  console.log(
    '| attributes | dependencies | synthesis | check of the proof | grew as | keys | found | normal form | parts | valid | peer |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  let before: { readonly size: number; readonly milliseconds: number } | undefined;
  let peerGaveUp = Number(options['peer-seconds']) === 0;
  for (const size of options.sizes.split(',').map(Number)) {
    const scheme = make(size);
    const synthesis = median(() => synthesize3NF(scheme));
    const check = median(() => verifyCertificate(synthesis.made));
    const keys = median(() => candidateKeys(scheme));
    const form = median(() => normalFormOf(scheme));
    const both = synthesis.milliseconds + check.milliseconds;
    const growth =
      before === undefined
        ? ''
        : `n^${(Math.log(both / before.milliseconds) / Math.log(size / before.size)).toFixed(1)}`;
    before = { size, milliseconds: both };
    const peer = peerGaveUp ? { none: '' } : askPeer(scheme, Number(options['peer-seconds']));
    if ('none' in peer) peerGaveUp = true;
    console.log(
      `| ${[
        size.toLocaleString('en'),
        scheme.dependencies.length.toLocaleString('en'),
        shown(synthesis.milliseconds),
        shown(check.milliseconds),
        growth,
        shown(keys.milliseconds),
        `${keys.made.keys.length}${keys.made.complete ? '' : ', cut'}`,
        shown(form.milliseconds),
        synthesis.made.relations.length,
        check.made.valid ? 'yes' : 'NO',
        'none' in peer ? peer.none : `${shown(peer.milliseconds)} (${peer.parts} parts)`,
      ].join(' | ')} |`,
    );
  }
}
