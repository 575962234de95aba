; An installation for all users keeps its data in one place for all who sign in: ProgramData\Holdpoint. Administrators
; and the system have all of it, the local group "Holdpoint" may read and write, others have nothing. The group begins
; with whoever works at the machine (S-1-5-4, INTERACTIVE); IT may put its own people in its place, which a later
; installation leaves as it is. A removal leaves the data and the group.
!macro customInstall
  ${If} $installMode == "all"
    ReadEnvStr $R8 ProgramData
    ${If} $R8 != ""
      CreateDirectory "$R8\Holdpoint"
      nsExec::ExecToLog `powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -Command "if (-not (Get-LocalGroup -Name Holdpoint -ErrorAction SilentlyContinue)) { New-LocalGroup -Name Holdpoint -Description 'May use the records of Holdpoint' | Out-Null; Add-LocalGroupMember -Group Holdpoint -Member S-1-5-4 }"`
      Pop $R9
      nsExec::ExecToLog `icacls.exe "$R8\Holdpoint" /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F Holdpoint:(OI)(CI)M`
      Pop $R9
    ${EndIf}
  ${EndIf}
!macroend
