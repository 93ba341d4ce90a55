/**
 * PostgreSQL's settings that the lab sets, all as arguments, so that no file can hide one. What is not here is
 * PostgreSQL's default, as it would be deployed; servers/fingerprint.ts records the ones that matter for speed.
 */
export const clusterSettings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // No socket file: nothing in a shared folder, and no path that is too long.
  unix_socket_directories: '',
  max_connections: '200',
  shared_preload_libraries: 'pg_stat_statements',
  compute_query_id: 'on',
  // Only differences are used, so nothing has to survive a restart.
  'pg_stat_statements.save': 'off',
  // Its name in `ps`.
  cluster_name: 'loadlab',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_destination: 'stderr',
  logging_collector: 'off',
};

export function settingArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
