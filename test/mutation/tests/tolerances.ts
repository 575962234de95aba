import '../../shared/quantities/tolerance.test.ts';
