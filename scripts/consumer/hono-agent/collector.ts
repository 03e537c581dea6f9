import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type OtlpReceiver, otlpReceiver } from '../../../packages/otel/src/test-support/otlp-receiver.ts';
import { startServer } from '../../../servers/start-server.ts';
import { ROOT } from '../../workspace.ts';

const BUILD = 'node servers/collector/start.mjs --build';

export interface Collector {
  close(): Promise<void>;
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly origin: string;
  /** What the spans went through, for people. */
  readonly through: string;
  readonly received: OtlpReceiver;
}

/**
 * Takes spans by OTLP over HTTP, on the loopback interface: through the collector of OpenTelemetry where it has been
 * built, and in CI always.
 */
export async function collector(): Promise<Collector> {
  const received = await otlpReceiver();
  const close = async () => received[Symbol.asyncDispose]();
  if (process.env.CI !== 'true' && !existsSync(join(ROOT, 'servers', 'collector', '.build', 'collector')))
    return {
      ...{ received, close, origin: received.url },
      through: `a stand-in, NOT the collector of OpenTelemetry, which \`${BUILD}\` builds`,
    };
  try {
    const real = await startServer('collector/start.mjs', [received.url], {
      needs: `Go 1.26 or newer, once, to build the OpenTelemetry Collector (\`${BUILD}\`)`,
      timeoutMs: 400_000,
    });
    return {
      ...{ received, origin: String(real.ready.http), through: 'the collector of OpenTelemetry' },
      async close() {
        await real.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
