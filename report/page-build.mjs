// Builds or tests the report's page; what Maven runs.
import { run } from '../config/page-build.mjs';

run('target/page/io/tickmark/report/page');
