"""Running jobs: workers, claims with a heartbeat, and the reaper of jobs whose worker is gone."""
