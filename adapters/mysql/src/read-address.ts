import type { ConnectionOptions } from 'node:tls';
import { readServerAddress, type ServerOptions } from '@askema/adapter-kit';
import { checkChoice } from '@askema/core';

/** How a connection is encrypted: what mysql2 knows of the options of `tls.connect`. */
export interface MysqlSsl
  extends Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'passphrase' | 'ciphers' | 'minVersion' | 'maxVersion'> {
  /** The certificate must come from a known authority. Default: true. */
  readonly rejectUnauthorized?: boolean | undefined;
  /** It must be that of the host. Default: true where `rejectUnauthorized` is. */
  readonly verifyIdentity?: boolean | undefined;
}

/** What an address says. */
export interface MysqlAddress extends ServerOptions<MysqlSsl> {
  readonly product?: 'mysql' | 'mariadb' | undefined;
}

/** MySQL's modes (connection-options#option_general_ssl-mode). There is no trying of one after the other. */
const SSL_MODES: Readonly<Record<string, boolean | MysqlSsl>> = {
  disabled: false,
  preferred: false,
  required: { rejectUnauthorized: false },
  verify_ca: { verifyIdentity: false },
  verify_identity: true,
};
const MODES = Object.keys(SSL_MODES);

/**
 * Reads `mysql://user@host:3306/database?ssl-mode=…` or `mariadb://…`, as MySQL writes it
 * (https://dev.mysql.com/doc/refman/8.4/en/connecting-using-uri-or-key-value-pairs.html); `socket` names a Unix socket.
 *
 * @throws AskemaError `CONFIG_INVALID`, never with the address in it.
 */
export function readAddress(address: string): MysqlAddress {
  const parts = readServerAddress<MysqlAddress>(address, {
    schemes: ['mysql://', 'mariadb://'],
    example: 'mysql://reader@db.example:3306/shop?ssl-mode=verify_identity',
    parameters: {
      'ssl-mode': (value) => ({
        ssl: SSL_MODES[checkChoice('ssl-mode', value.toLowerCase().replace('-', '_'), MODES)],
      }),
      socket: (host) => ({ host }),
    },
  });
  return { ...parts, product: /^mysql:/i.test(address) ? 'mysql' : 'mariadb' };
}
