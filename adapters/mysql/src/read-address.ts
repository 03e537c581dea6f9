import type { ConnectionOptions } from 'node:tls';
import { readServerAddress, type ServerAddress } from '@askema/adapter-kit';
import { invalidOption } from '@askema/core';

const EXAMPLE = 'mysql://reader@db.example:3306/shop?ssl-mode=verify_identity';

/** How a connection is encrypted: what mysql2 knows of the options of `tls.connect`. */
export interface MysqlSsl
  extends Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'passphrase' | 'ciphers' | 'minVersion' | 'maxVersion'> {
  /** The certificate must come from a known authority. Default: true. */
  readonly rejectUnauthorized?: boolean | undefined;
  /** It must be that of the host. Default: true where `rejectUnauthorized` is. */
  readonly verifyIdentity?: boolean | undefined;
}

/** What an address says. */
export interface MysqlAddress extends Omit<ServerAddress, 'parameters'> {
  readonly product: 'mysql' | 'mariadb';
  readonly ssl?: boolean | MysqlSsl | undefined;
}

/**
 * Reads `mysql://user@host:3306/database?ssl-mode=…` or `mariadb://…`, as MySQL writes it
 * (https://dev.mysql.com/doc/refman/8.4/en/connecting-using-uri-or-key-value-pairs.html); `socket` names a Unix socket.
 *
 * @throws AskemaError `CONFIG_INVALID`, never with the address in it.
 */
export function readAddress(address: string): MysqlAddress {
  const { parameters, ...parts } = readServerAddress(address, ['mysql://', 'mariadb://'], EXAMPLE);
  const given: { ssl?: boolean | MysqlSsl; host?: string } = {};
  for (const [name, value] of parameters)
    if (name === 'ssl-mode') given.ssl = sslOfMode(value);
    else if (name === 'socket') given.host = value;
    else
      throw invalidOption(
        `The address has the parameter \`${name}\`, which this adapter does not know; it knows ssl-mode and socket.`,
      );
  return { ...parts, ...given, product: /^mysql:/i.test(address) ? 'mysql' : 'mariadb' };
}

/** MySQL's modes (connection-options#option_general_ssl-mode). There is no trying of one after the other. */
function sslOfMode(mode: string): boolean | MysqlSsl {
  const known = mode.toLowerCase().replace('-', '_');
  if (known === 'disabled' || known === 'preferred') return false;
  if (known === 'required') return { rejectUnauthorized: false };
  if (known === 'verify_ca') return { verifyIdentity: false };
  if (known === 'verify_identity') return true;
  throw invalidOption(
    `\`ssl-mode\` is ${JSON.stringify(mode)}; it must be disabled, preferred, required, verify_ca or verify_identity.`,
  );
}
