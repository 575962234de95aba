import '../../shared/sampling/sampling-plan.test.ts';
import '../../shared/sampling/sampling-tables.test.ts';
import '../../shared/sampling/severity.test.ts';
