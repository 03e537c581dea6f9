import type { ModelChoice } from '../../model/resolve-model.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';

/** The request on stdout as it would be sent, so that it can be compared; everything else on stderr. */
export async function showUnsent(first: string, hasKnowledge: boolean, { out, err }: CommandContext): Promise<number> {
  await out.write(first);
  await err.write('Nothing was sent. This is the first request; what later ones hold depends on the answers.\n');
  if (hasKnowledge) await err.write('Where the knowledge answers alone, none is sent.\n');
  return EXIT.ok;
}

/** Of a solver that is no language model. */
export async function sayNothingIsSent({ label }: ModelChoice, { out }: CommandContext): Promise<number> {
  await out.write(
    label === 'lexical'
      ? 'Nothing is sent: the built-in model `lexical` reads the question on this machine.\n'
      : `${label} is a solver of the configuration: what it sends, it alone knows. It was not asked.\n`,
  );
  return EXIT.ok;
}
