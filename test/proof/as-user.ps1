# as-user.ps1 NAME COMMAND: in a session of that user's own, with what this job's programs are told; throws where it does not end with 0.
param([string]$name, [string]$command)
$password = ConvertTo-SecureString 'Dock-4711-pass' -AsPlainText -Force
$who = New-Object Management.Automation.PSCredential $name, $password
icacls $PWD /grant "${name}:(OI)(CI)M" /T /Q | Out-Null
$told = "set `"HOLDPOINT_PROGRAM=$env:HOLDPOINT_PROGRAM`"&& set `"PATH=$env:PATH`"&& cd /d `"$PWD`"&& "
$done = Start-Process cmd.exe -ArgumentList '/d', '/c', "$told$command" -Credential $who -LoadUserProfile -Wait -PassThru
if ($done.ExitCode -ne 0) { throw "$command ended with $($done.ExitCode) for $name." }
